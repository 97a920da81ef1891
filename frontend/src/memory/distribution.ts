/** Bin is a bar of a histogram: the values from low up to high, the last bin's own end with them. */
export interface Bin {
  low: number;
  high: number;
  count: number;
}

/** Distribution is what there is to say about many values at once. */
export interface Distribution {
  count: number;
  nan: number;
  positive: number; // infinities
  negative: number;
  zero: number;
  low: number; // of the finite values; NaN where there is none
  high: number;
  mean: number;
  bins: Bin[]; // of the finite values
}

/** mostBins is how many bars a histogram has at most; integers of a smaller range have one each. */
const mostBins = 24;

/** distributionOf counts values; whole ones are never cut by a bin's edge. */
export function distributionOf(values: Float64Array, whole: boolean): Distribution {
  const finite = values.filter(Number.isFinite);
  const has = finite.length > 0;
  const low = has ? finite.reduce((a, b) => Math.min(a, b)) : NaN;
  const high = has ? finite.reduce((a, b) => Math.max(a, b)) : NaN;
  const how = (is: (value: number) => boolean) => values.reduce((n, value) => n + Number(is(value)), 0);
  return {
    count: values.length, nan: how(Number.isNaN), positive: how((v) => v === Infinity), negative: how((v) => v === -Infinity),
    zero: how((v) => v === 0), low, high, mean: finite.reduce((sum, v) => sum + v / finite.length, has ? 0 : NaN),
    bins: has ? binsOf(finite, low, high, whole) : [],
  };
}

function binsOf(finite: Float64Array, low: number, high: number, whole: boolean): Bin[] {
  const values = whole ? high - low + 1 : high > low ? Infinity : 1;
  const width = whole ? Math.ceil(values / mostBins) : (high - low) / mostBins;
  const count = whole ? Math.ceil(values / width) : Math.min(values, mostBins);
  const bins = Array.from({ length: count }, (_, i): Bin => {
    const from = low + i * width;
    return { low: from, high: whole ? Math.min(high, from + width - 1) : i === count - 1 ? high : from + width, count: 0 };
  });
  for (const value of finite) {
    const bin = bins[width > 0 ? Math.min(count - 1, Math.floor((value - low) / width)) : 0];
    if (bin) bin.count++;
  }
  return bins;
}
