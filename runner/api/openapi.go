package api

import (
	"encoding/json"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/newtlab/newt/runner/operation"
)

type object = map[string]any

// Describe returns the description of the interface in the form of OpenAPI 3.1, whose schemas are JSON Schema as those
// of the tools are.
func Describe() ([]byte, error) {
	problem, err := jsonschema.For[Problem](nil)
	if err != nil {
		return nil, err
	}
	schemas, paths := object{"Problem": problem}, object{}
	results := map[string]string{} // the names of schemas, by their texts
	for _, row := range operation.Table {
		name := strings.ToUpper(row.Name[:1]) + row.Name[1:]
		text, err := json.Marshal(row.Output)
		if err != nil {
			return nil, err
		}
		result := results[string(text)]
		if result == "" {
			result = name + "Result"
			results[string(text)], schemas[result] = result, row.Output
		}
		schemas[name+"Input"] = row.Input
		post := described(row, result)
		post["requestBody"] = object{"required": true, "content": asJSON(name + "Input")}
		methods := object{"post": post}
		if row.Name == explain {
			get := described(row, result)
			get["operationId"] = "get" + name
			get["parameters"] = []object{{"name": "code", "in": "query", "required": true,
				"description": row.Input.Properties["code"].Description, "schema": object{"type": "string"}}}
			methods["get"] = get
		}
		paths[Prefix+row.Name] = methods
	}
	text, err := json.MarshalIndent(object{
		"openapi": "3.1.0",
		"info": object{"title": "newt", "version": "1",
			"description": "Checks, compiles, runs and judges Triton kernels without a GPU. A result has what the " +
				"command of the same name prints with --json."},
		"paths": paths,
		"components": object{
			"schemas":         schemas,
			"securitySchemes": object{"token": object{"type": "http", "scheme": "bearer"}},
		},
	}, "", "  ")
	return append(text, '\n'), err
}

// described is an operation without its input.
func described(o *operation.Operation, result string) object {
	access := []object{{"token": []string{}}}
	if o.Public {
		access = append(access, object{})
	}
	return object{
		"operationId": o.Name, "description": o.Description, "security": access,
		"responses": object{
			"200": object{"description": "what the operation did", "content": asJSON(result)},
			"default": object{"description": "why it was not carried out", "content": object{
				"application/problem+json": object{"schema": reference("Problem")}}},
		},
	}
}

func asJSON(schema string) object {
	return object{"application/json": object{"schema": reference(schema)}}
}

func reference(schema string) object { return object{"$ref": "#/components/schemas/" + schema} }
