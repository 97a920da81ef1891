import os, sys
import pytest
import math, json.decoder
box = {"a": 1}

class Thing:
    x = 1

def test_strings(monkeypatch):
    monkeypatch.setattr("math.pi", 3)
    monkeypatch.setattr("json.decoder.JSONDecoder.decode", lambda self, s: 7)
    assert math.pi == 3
    import json
    assert json.JSONDecoder().decode("[") == 7

def test_undone(monkeypatch):
    assert math.pi > 3.1
    with pytest.raises(AttributeError):
        monkeypatch.setattr(Thing, "y", 2)
    monkeypatch.setattr(Thing, "y", 2, raising=False)
    monkeypatch.delattr(Thing, "x")
    monkeypatch.delattr(Thing, "z", raising=False)
    with pytest.raises(AttributeError):
        monkeypatch.delattr(Thing, "z")
    assert Thing.y == 2 and not hasattr(Thing, "x")
    monkeypatch.setitem(box, "b", 2); monkeypatch.delitem(box, "a")
    with pytest.raises(KeyError):
        monkeypatch.delitem(box, "q")
    monkeypatch.delitem(box, "q", raising=False)
    monkeypatch.setenv("NEWT_A", "1"); monkeypatch.setenv("NEWT_A", "0", prepend=":")
    assert os.environ["NEWT_A"] == "0:1"
    with pytest.raises(KeyError):
        monkeypatch.delenv("NEWT_ABSENT")
    monkeypatch.delenv("NEWT_ABSENT", raising=False)
    monkeypatch.syspath_prepend("/nowhere")
    assert sys.path[0] == "/nowhere"
    with pytest.raises(TypeError):
        monkeypatch.setattr(Thing, 3)
    with pytest.raises(TypeError):
        monkeypatch.setattr("Thing", 3)

def test_undone_too(monkeypatch):
    assert Thing.x == 1 and not hasattr(Thing, "y") and box == {"a": 1} and "NEWT_A" not in os.environ
    assert "/nowhere" not in sys.path
    with monkeypatch.context() as m:
        m.setattr(Thing, "x", 5)
        assert Thing.x == 5
    assert Thing.x == 1
    with pytest.MonkeyPatch.context() as m:
        m.setattr(Thing, "x", 6)
    assert Thing.x == 1
