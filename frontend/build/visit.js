// Runs a program of wasm/rpc that notes which of its functions run: it is asked what standard input lists, one request
// after another, and the numbers of the functions go to standard output. The arguments are Go's wasm_exec.js and the
// program.
const fs = require("node:fs");
require(process.argv[2]);

const requests = JSON.parse(fs.readFileSync(0, "utf8"));
const ran = new Set();
const go = new Go();
go.importObject.newt = { note: (number) => ran.add(number) };
go.exit = (code) => fail(`it ended with ${code}`);

const fail = (why) => {
  console.error(why);
  process.exit(1);
};

// What runs as time passes, such as a pause or a report of progress, is noted in a second visit, in which each look at
// one of the two clocks that Go reads takes longer than the program goes without any of it.
const patience = 250; // ms
let skipped = 0;
function hurry() {
  const { getTime } = Date.prototype, now = performance.now.bind(performance);
  Date.prototype.getTime = function () { return getTime.call(this) + (skipped += patience); };
  performance.now = () => now() + (skipped += patience);
}

globalThis.newtReady = async () => {
  await visit(1);
  hurry();
  await visit(1 + requests.length);
  fs.writeSync(1, JSON.stringify([...ran]));
  process.exit(0);
};

async function visit(firstCall) {
  for (const [i, request] of requests.entries()) await ask(firstCall + i, JSON.stringify(request));
}

function ask(call, text) {
  return new Promise((resolve) => {
    globalThis.newtHandle(call, text, [], (reply) => {
      const { done, error } = JSON.parse(reply);
      if (error) fail(`${text}: ${error}`);
      if (done) resolve();
    });
  });
}

WebAssembly.instantiate(fs.readFileSync(process.argv[3]), go.importObject)
  .then(({ instance }) => go.run(instance))
  .catch(fail);
