# Recorded with pandas 1.5.3 on NumPy 1.24.
import io

import numpy as np
import pandas as pd

rows = [
    {"N": 1024, "provider": "triton", "ms": 0.25, "ok": True},
    {"N": 1024, "provider": "torch", "ms": 0.5, "ok": True},
    {"N": 65536, "provider": "triton", "ms": 12.125, "ok": False},
    {"N": 65536, "provider": "torch", "ms": None, "ok": True},
]
df = pd.DataFrame(rows)
print(df)
print(df.to_string())
print(df.to_string(index=False))
print(df.shape, len(df), df.size, df.empty, list(df), df.columns.tolist(), df.columns, df.index)
print(df.dtypes)
print(df["ms"])
print(df.N.tolist(), df["provider"].unique().tolist(), df.ms.dtype, df["ok"].dtype)
print(df.iloc[0])
print(df.iloc[-1]["ms"], df.iloc[1, 2], df.loc[2, "provider"], df.iloc[0].to_dict(), df.iloc[0, 0])
print(df.iloc[1:3])
print(df[["provider", "ms"]])
print(df[df["ms"] > 0.3])
print(df[(df.provider == "triton") & df.ok])
print(df.loc[df.provider == "torch", "N"])
print(df.head(2))
print(df.tail(1))
print(df.ms.mean(), df.ms.min(), df.ms.max(), df.ms.sum(), df.ms.std(), df.ms.median(), df.ms.count(), df.ms.idxmin())
print(df.mean(numeric_only=True))
print(df.describe())
print(df.to_dict())
print(df.to_dict("records"))
print(df.to_dict("list"))
print(df.to_csv())
print(df.to_csv(index=False, float_format="%.3f"))
print(df.to_html(index=False))
print(df.to_markdown())
print(df.to_markdown(index=False))
df["gbps"] = 3 * df.N * 4 / df.ms * 1e-6
df["speedup"] = df["ms"] / 0.25
print(df)
print(df.round(2))
print(df.round({"gbps": 1}))
print(df.drop(columns=["gbps", "speedup"]).rename(columns={"ms": "time"}))
print(df.sort_values("ms", ascending=False))
print(df.sort_values(["provider", "N"]).reset_index(drop=True))
print(df.set_index("provider"))
print(df.set_index("provider").to_string(index=True))
print(df.set_index("provider").to_csv())
print(df.groupby("provider")["ms"].mean())
print(df.groupby("provider")[["N", "ms"]].max())
for name, group in df.groupby("N"):
    print(name, group["ms"].tolist())
print(df.pivot(index="N", columns="provider", values="ms").loc[1024, "torch"])
for i, row in df.iterrows():
    print(i, row["provider"], row["N"], row.ms)
for row in df[["N", "ms"]].itertuples():
    print(row, row.N)
print(pd.concat([df[["N", "ms"]], pd.DataFrame({"N": [1], "ms": [2.5]})], ignore_index=True))
print(pd.DataFrame({"a": [1, 2], "b": [0.5, 1e9]}))
print(pd.DataFrame({"a": [1e-9, 2], "b": [-1.5, 100]}))
print(pd.DataFrame({"a": [1, -2], "b": ["x", "yyyy"], "c": [True, False], "d": [None, "z"]}))
print(pd.DataFrame({"x": range(100), "y": [i / 2 for i in range(100)]}))
print(pd.Series([i / 2 for i in range(100)], name="y"))
print(pd.DataFrame({"a_long_name_%d" % i: [i * 1.5, 2, -3] for i in range(8)}))
print(pd.DataFrame())
print(pd.DataFrame(columns=["a", "b"]))
print(pd.DataFrame([[1, 2.5], [3, 4]], columns=["a", "b"], index=["p", "q"]))
print(pd.DataFrame(np.arange(6).reshape(2, 3)))
print(pd.DataFrame({"a": [1, 2]}, index=["p", "q"]).loc["q"])
print(pd.DataFrame({"a": [1, 2], "b": 7}).T)
print(pd.DataFrame({"a": [1, 2], "b": [3, 4]}).apply(lambda row: row["a"] * 10 + row["b"], axis=1))
print(pd.DataFrame({"a": [1.0, 2.0], "b": [3, 4]}).values.tolist())
print(pd.Series([1, 2, 3]))
print(pd.Series([1.5, 2], index=["p", "q"], name="n")["q"])
print(pd.Series({"x": 1, "y": 2}) * 2 + 1)
print((pd.Series([1, 2, 3]) / pd.Series([0, 4, 5])).tolist(), (1 / pd.Series([2, 4])).tolist())
print(pd.Series(["a", "b"]).map({"a": 1, "b": 2}).tolist(), pd.Series([1, 2]).apply(lambda v: v + 1).tolist())
print(pd.to_numeric(pd.Series(["1", "x", "2.5"]), errors="coerce").tolist(), pd.isna(None), pd.notna(1.0))
back = pd.read_csv(io.StringIO("N,Triton (ms),name\n1,0.5,a\n2,,b\n"))
print(back)
print(back.dtypes.tolist() == [np.dtype("int64"), np.dtype("float64"), "object"], back["N"].values * 2)
back.loc[0, "N"] = 9
back.columns = ["n", "t", "m"]
del back["m"]
print(back, "t" in back, back.get("z"))
for attempt in [
    lambda: df["nothing"], lambda: df.iloc[9], lambda: df.loc[9], lambda: bool(df["ms"]), lambda: df.nothing,
    lambda: pd.DataFrame({"a": [1], "b": [1, 2]}), lambda: pd.DataFrame({"a": 1}), lambda: df.drop(columns=["q"]),
    lambda: pd.to_numeric("x"), lambda: pd.concat([]), lambda: df[["N", "q"]],
]:
    try:
        print("no exception", attempt())
    except Exception as e:
        print(type(e).__name__)
