for text in ["  x = 1", "if 1:\nx = 2", "if 1:\n    x = 1\n  y = 2", "x = = 1", "if 1:\n\tx = 1\n        y = 2", "def f():\n"]:
    try:
        exec(text)
    except SyntaxError as e:
        print(type(e).__name__)
try:
    compile(" 1", "text", "eval")
    print("a leading blank is no indentation for eval")
except SyntaxError as e:
    print(type(e).__name__)
