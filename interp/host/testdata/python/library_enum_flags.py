# IntFlag: flags that are ints, and keep bits without a name.
import enum


class Perm(enum.IntFlag):
    R = 4
    W = 2
    X = 1
    RWX = 7


print(Perm.R | Perm.W, repr(Perm.R | Perm.W), Perm.R & 4, Perm.RWX)
print(repr(Perm(3)), repr(Perm(0)), repr(~Perm.R), Perm.R + 1, int(Perm.W), -Perm.R, Perm.R << 1, Perm.R % 3)
print(Perm.R in Perm.RWX, list(Perm.RWX), list(Perm), len(Perm))
print(repr(Perm(8)), repr(Perm.R | 8), repr(Perm.R ^ Perm.RWX), bool(Perm(0)), isinstance(Perm.R, int))
print(Perm.R == 4, Perm.R > 2, Perm.R != 4, 4 == Perm.R, {4: "four"}[Perm.R], [0, 1, 2, 3, 4][Perm.R])
print(f"{Perm.R}", str(Perm.R), Perm.R.name, Perm.R.value, (Perm.R | Perm.W).name, repr(4 | Perm.W), repr(7 & Perm.X))
print(Perm["W"] is Perm.W, Perm(4) is Perm.R, type(Perm.R | 1), "%d" % Perm.RWX, hex(Perm.RWX), sum(Perm))


class F(enum.IntFlag):
    A = enum.auto()
    B = enum.auto()
    C = enum.auto()


print(list(F), repr(F.A | F.C), repr(F["A"]), F.A < F.B, sorted([F.C, F.A]))


class G(enum.Flag):
    NONE = 0
    A = 1
    B = 2
    AB = A | B


print(list(G), len(G), repr(G.A | G.B), G.AB.name, repr(G(0)), repr(~G.A), list(G.AB), G.__members__.keys() == {"NONE", "A", "B", "AB"})
