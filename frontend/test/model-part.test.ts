import assert from "node:assert/strict";
import { test } from "node:test";
import { modelPart } from "../src/result/model-part";

const text = `async_compile = AsyncCompile()

# kernel path: /tmp/a.py
# Topologically Sorted Source Nodes: [h, relu], Original ATen: [aten.addmm, aten.relu]
# Source node to ATen node mapping:
#   relu => relu
k_0 = async_compile.triton('k_0', '''
''')
# Topologically Sorted Source Nodes: [], Original ATen: [aten.sum]
k_1 = async_compile.triton('k_1', '''
''')

k_2 = async_compile.triton('k_2', '''
''')
`;

test("the comment above a kernel names its part of the model", () => {
  assert.deepEqual(modelPart(text, "k_0"), { nodes: "h, relu", operations: "aten.addmm, aten.relu" });
  assert.deepEqual(modelPart(text, "k_1"), { nodes: "", operations: "aten.sum" });
});

test("a kernel without a comment has none of another kernel", () => {
  assert.equal(modelPart(text, "k_2"), undefined);
  assert.equal(modelPart(text, "k"), undefined);
});
