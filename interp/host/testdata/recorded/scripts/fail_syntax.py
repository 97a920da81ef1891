print("never printed")
x = torch.ones(3
print(x)
