f''
f'plain'
f'{x}', F"{x}{y}", f'a{x}b{y}c'
f'{x!r}', f'{x!s:>10}', f'{x!a}', f'{x:}', f'{x:.2f}', f'{x:>{width}.{precision}f}', f'{x:{"a"}}'
f'{{literal}}', f'{{{x}}}', f'{ {1, 2} }', f'{x + 1:d}'
f'{x["key"]}', f'{f(a, b=1)}', f'{a if b else c}', f'{(lambda: 1)()}', f'{x,}', f'{*a, b}'
f'{x != y}', f'{x == y}', f'{x <= y}', f'{(y := 3)}'
f'{x=}', f'{x = }', f'{x=!s}', f'{x=:>5}', f'{x+1 = !r:^{w}}'
f'a' 'b' f'{c}' 'd'
'{not} a field' f'{x}'
rf'\d{x}\n', fr"\{x}", f'\n{x}\t', f'\{x}'
f"""multi
{x}
line {
    y
}"""
f'{f"{x}"}', f'{x:{f"{y}"}}', f"{'nested'}"
f'{x:%Y-%m-%d}', f'{x:,}', f'{x:!r}', f'{x:é}'
f'{x!r:{a}{b}}'
f'é{x}世'
f'{lambda_}', f'{x:a{y}b{z}c}'
