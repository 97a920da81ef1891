config = {"BLOCK": 128, "num_warps": 4}
for key in ["BLOCK", "num_stages"]:
    print(key, config[key])
