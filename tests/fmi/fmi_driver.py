"""Exported models driven through the C functions of FMI 3.0, for the tests beside this file."""
import ctypes
import os
import subprocess
import xml.etree.ElementTree as ET
import zipfile

LOG = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p)
UPDATE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_double, ctypes.c_bool, ctypes.c_bool,
                          ctypes.c_bool, ctypes.c_bool, ctypes.POINTER(ctypes.c_bool),
                          ctypes.POINTER(ctypes.c_double))
LOCK = ctypes.CFUNCTYPE(None)
RUBATO = os.path.join(os.environ.get("RUBATO_BUILD", "build"), "rubato")


def rubato(*words, status=0):
    p = subprocess.run([RUBATO, *words], capture_output=True, text=True)
    assert p.returncode == status, (words, p.returncode, p.stdout + p.stderr)
    return p.stdout + p.stderr


def doubles(values):
    return (ctypes.c_double * max(1, len(values)))(*values)


class Archive:
    """An FMU, unpacked."""

    def __init__(self, path, folder):
        with zipfile.ZipFile(path) as z:
            z.extractall(folder)
            self.names = z.namelist()
        self.folder = folder
        self.xml = ET.parse(os.path.join(folder, "modelDescription.xml")).getroot()
        self.reference, self.element = {}, {}
        for v in self.xml.find("ModelVariables"):
            self.reference[v.get("name")] = int(v.get("valueReference"))
            self.element[v.get("name")] = v
        binary = next(n for n in self.names if n.endswith(".so"))
        self.library = ctypes.CDLL(os.path.join(folder, binary))


class Instance:
    """An instance of FMI 3.0; `kind` is me, cs or se."""

    def __init__(self, archive, kind, token=None, update=None, early=False):
        self.archive, self.lib, self.said = archive, archive.library, []
        self.log = LOG(lambda e, status, category, text: self.said.append(text.decode()))
        self.update = UPDATE(update) if update else ctypes.cast(None, UPDATE)
        token = (token or archive.xml.get("instantiationToken")).encode()
        resources = (os.path.join(archive.folder, "resources") + "/").encode()
        no, yes = ctypes.c_bool(False), ctypes.c_bool(early)
        if kind == "se":
            self.locks = []
            self.lock, self.unlock = (LOCK(lambda k=k: self.locks.append(k)) for k in (1, -1))
            make = self.lib.fmi3InstantiateScheduledExecution
            make.restype = ctypes.c_void_p
            self.c = make(b"it", token, resources, no, no, None, self.log, None, self.lock, self.unlock)
        elif kind == "me":
            make = self.lib.fmi3InstantiateModelExchange
            make.restype = ctypes.c_void_p
            self.c = make(b"it", token, resources, no, no, None, self.log)
        else:
            make = self.lib.fmi3InstantiateCoSimulation
            make.restype = ctypes.c_void_p
            self.c = make(b"it", token, resources, no, no, no, yes, None, ctypes.c_size_t(0),
                          None, self.log, self.update)
        self.c = ctypes.c_void_p(self.c)

    def call(self, name, *words, status=0):
        got = getattr(self.lib, "fmi3" + name)(self.c, *words)
        assert got == status, (name, got, self.said)

    def free(self):
        self.lib.fmi3FreeInstance(self.c)

    def start(self, begin=0.0, end=None, tolerance=1e-8, **values):
        for name, value in values.items():
            self.set(name, value)
        self.call("EnterInitializationMode", ctypes.c_bool(True), ctypes.c_double(tolerance),
                  ctypes.c_double(begin), ctypes.c_bool(end is not None),
                  ctypes.c_double(end or 0))
        self.call("ExitInitializationMode")

    def get(self, name, count=1):
        vr = (ctypes.c_uint32 * 1)(self.archive.reference[name])
        out = doubles([0] * count)
        self.call("GetFloat64", vr, ctypes.c_size_t(1), out, ctypes.c_size_t(count))
        return out[0] if count == 1 else list(out)

    def set(self, name, *values, status=0):
        vr = (ctypes.c_uint32 * 1)(self.archive.reference[name])
        self.call("SetFloat64", vr, ctypes.c_size_t(1), doubles(values),
                  ctypes.c_size_t(len(values)), status=status)

    def text(self, name):
        vr = (ctypes.c_uint32 * 1)(self.archive.reference[name])
        out = (ctypes.c_char_p * 1)()
        self.call("GetString", vr, ctypes.c_size_t(1), out, ctypes.c_size_t(1))
        return out[0].decode()

    def set_text(self, name, value, status=0):
        vr = (ctypes.c_uint32 * 1)(self.archive.reference[name])
        self.call("SetString", vr, ctypes.c_size_t(1), (ctypes.c_char_p * 1)(value.encode()),
                  ctypes.c_size_t(1), status=status)

    def step(self, t, h):
        event, terminate, early = ctypes.c_bool(), ctypes.c_bool(), ctypes.c_bool()
        reached = ctypes.c_double()
        self.call("DoStep", ctypes.c_double(t), ctypes.c_double(h), ctypes.c_bool(False),
                  ctypes.byref(event), ctypes.byref(terminate), ctypes.byref(early),
                  ctypes.byref(reached))
        return reached.value, early.value, terminate.value

    def activate(self, clock, t, status=0):
        self.call("ActivateModelPartition", ctypes.c_uint32(self.archive.reference[clock]), ctypes.c_double(t),
                  status=status)

    def ticked(self, clock):
        vr = (ctypes.c_uint32 * 1)(self.archive.reference[clock])
        out = (ctypes.c_bool * 1)()
        self.call("GetClock", vr, ctypes.c_size_t(1), out)
        return out[0]

    def states(self):
        n = ctypes.c_size_t()
        self.call("GetNumberOfContinuousStates", ctypes.byref(n))
        x = doubles([0] * n.value)
        self.call("GetContinuousStates", x, n)
        return list(x)[:n.value]

    def rates(self, t, x):
        n, dx = ctypes.c_size_t(len(x)), doubles([0] * len(x))
        self.call("SetTime", ctypes.c_double(t))
        self.call("SetContinuousStates", doubles(x), n)
        self.call("GetContinuousStateDerivatives", dx, n)
        return list(dx)[:len(x)]

    def update_discrete(self):
        flags = [ctypes.c_bool() for _ in range(5)]
        when = ctypes.c_double()
        self.call("EnterEventMode")
        self.call("UpdateDiscreteStates", *[ctypes.byref(f) for f in flags], ctypes.byref(when))
        self.call("EnterContinuousTimeMode")
        return when.value if flags[4].value else None

    def derivative(self, function, unknown, known, seed, count):
        a = (ctypes.c_uint32 * len(unknown))(*[self.archive.reference[n] for n in unknown])
        b = (ctypes.c_uint32 * len(known))(*[self.archive.reference[n] for n in known])
        out = doubles([0] * count)
        self.call(function, a, ctypes.c_size_t(len(unknown)), b, ctypes.c_size_t(len(known)),
                  doubles(seed), ctypes.c_size_t(len(seed)), out, ctypes.c_size_t(count))
        return list(out)[:count]
