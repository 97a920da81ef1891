// Puts the compressed form of each file in the file's place. The arguments are the ending of compressed forms and the
// names of the files.
const fs = require("node:fs/promises");
const { promisify } = require("node:util");
const { brotliCompress, constants } = require("node:zlib");

const params = {
  [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
  [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
};

async function compress(ext, name) {
  await fs.writeFile(name + ext, await promisify(brotliCompress)(await fs.readFile(name), { params }));
  await fs.unlink(name);
}

const [, , ext, ...names] = process.argv;
Promise.all(names.map((name) => compress(ext, name))).catch((error) => {
  console.error(error);
  process.exit(1);
});
