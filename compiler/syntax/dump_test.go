package syntax

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/newtlab/newt/compiler/source"
)

// Dump writes the tree below n as one s-expression a statement, without places. Fields that are
// empty are left out.
func Dump(n Node) string {
	var b strings.Builder
	if m, ok := n.(*Module); ok {
		for _, s := range m.Body {
			dumpValue(&b, reflect.ValueOf(s))
			b.WriteByte('\n')
		}
		return b.String()
	}
	dumpValue(&b, reflect.ValueOf(n))
	return b.String()
}

var spanType = reflect.TypeFor[source.Span]()

func dumpValue(b *strings.Builder, v reflect.Value) {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if v.IsNil() {
			b.WriteString("nil")
			return
		}
		dumpValue(b, v.Elem())
	case reflect.Slice:
		b.WriteByte('[')
		for i := range v.Len() {
			if i > 0 {
				b.WriteByte(' ')
			}
			dumpValue(b, v.Index(i))
		}
		b.WriteByte(']')
	case reflect.Struct:
		dumpStruct(b, v)
	case reflect.String:
		fmt.Fprintf(b, "%q", v.String())
	default:
		fmt.Fprint(b, v.Interface())
	}
}

func dumpStruct(b *strings.Builder, v reflect.Value) {
	t := v.Type()
	b.WriteString("(" + t.Name())
	for i := range t.NumField() {
		field := t.Field(i)
		empty := v.Field(i).IsZero() || field.Type.Kind() == reflect.Slice && v.Field(i).Len() == 0
		if field.Anonymous || field.Type == spanType || empty {
			continue
		}
		b.WriteString(" " + field.Name + "=")
		dumpValue(b, v.Field(i))
	}
	b.WriteByte(')')
}
