# SPDX-License-Identifier: Apache-2.0
"""Rubato from Python: translate Modelica models and simulate them.

    import rubato
    program = rubato.translate("Circuit.mo", "Circuit.Filter")
    result = rubato.simulate(program, set={"r1.R": 200}, stop=2)
    print(result.time[-1], result["c2.v"][-1])

One file over the shared library librubato.so and the standard library of Python; arrays are those
of numpy if it is there, else of the module array. The library is looked for at the path in the
environment variable RUBATO_LIBRARY, beside this file, in the build folder of the sources, then
where the system keeps libraries.

A Program may be used on several threads, each Simulation on one at a time. While the library works,
other Python threads run.
"""
import array
import concurrent.futures
import csv
import ctypes
import difflib
import itertools
import json
import os
import re

try:
    import numpy
except ImportError:
    numpy = None

__all__ = ["Compiler", "Program", "Result", "RubatoError", "Simulation", "Study", "Table", "Variable",
           "simulate", "sweep", "translate", "version"]

# ---- the library: structures and functions as in rubato.h -----------------------------------------

_c_bool, _c_char_p, _c_double, _c_int = (ctypes.c_bool, ctypes.c_char_p, ctypes.c_double,
                                         ctypes.c_int)
_c_long, _c_size_t, _c_void_p = ctypes.c_long, ctypes.c_size_t, ctypes.c_void_p
STATUS = ("ok", "end", "model", "argument", "translate", "failed", "file", "no memory", "stopped",
          "defect")
KINDS = ("continuous", "discrete", "parameter", "constant", "input", "derivative", "hidden")
_OK, _END, _TRANSLATE, _STOPPED, _HIDDEN = 0, 1, 4, 8, 6


class RbError(ctypes.Structure):
    _fields_ = [("status", _c_int), ("text", ctypes.c_char * 400), ("file", ctypes.c_char * 256),
                ("line", _c_int), ("column", _c_int)]


class RbMessage(ctypes.Structure):
    _fields_ = [("severity", _c_int), ("code", _c_char_p), ("text", _c_char_p),
                ("file", _c_char_p), ("line", _c_int), ("column", _c_int)]


class RbSettings(ctypes.Structure):
    _fields_ = [("cache", _c_char_p), ("c_compiler", _c_char_p), ("trust", _c_bool),
                ("cache_bytes", _c_double)]


class RbValue(ctypes.Structure):
    _fields_ = [("name", _c_char_p), ("value", _c_char_p)]


class RbRequest(ctypes.Structure):
    _fields_ = [("target", _c_char_p), ("model", _c_char_p), ("set", ctypes.POINTER(RbValue)),
                ("sets", _c_int), ("rates", _c_bool), ("rates_if_worth", _c_bool),
                ("components", _c_bool), ("components_if_worth", _c_bool), ("staggered", _c_bool),
                ("sensitivities", _c_bool),
                ("fresh", _c_bool), ("check", _c_bool),
                ("until", _c_char_p), ("dump", _c_char_p), ("summary", _c_bool),
                ("pass", _c_void_p), ("owner", _c_void_p),
                ("theta", _c_char_p), ("text", _c_char_p),
                ("beside", ctypes.POINTER(_c_char_p)), ("besides", _c_int)]


class RbInfo(ctypes.Structure):
    _fields_ = [("model", _c_char_p), ("equations", _c_int), ("rows", _c_int),
                ("shapes", _c_int), ("parameters", _c_int), ("states", _c_int),
                ("variables", _c_int), ("bytes", _c_size_t), ("from_cache", _c_bool), ("components", _c_bool),
                ("start", _c_double), ("stop", _c_double), ("interval", _c_double),
                ("tolerance", _c_double)]


class RbVariable(ctypes.Structure):
    _fields_ = [("name", _c_char_p), ("unit", _c_char_p), ("description", _c_char_p),
                ("kind", _c_int), ("state", _c_bool), ("settable", _c_bool),
                ("differentiated", _c_bool), ("equal", _c_int)]


class RbOptions(ctypes.Structure):
    _fields_ = [("given_start", _c_bool), ("given_stop", _c_bool), ("given_tolerance", _c_bool),
                ("start", _c_double), ("stop", _c_double), ("tolerance", _c_double),
                ("interval", _c_double), ("max_steps", _c_long), ("solver", _c_char_p),
                ("method", _c_char_p), ("rates", _c_int), ("threads", _c_int),
                ("grain", _c_double), ("global_events", _c_bool), ("check_parts", _c_bool),
                ("tier", _c_int), ("given_tier", _c_bool),
                ("max_step", _c_double), ("fixed_step", _c_double), ("absolute", _c_double),
                ("max_output", _c_double), ("bounds", _c_int), ("instances", _c_char_p),
                ("profile", _c_bool),
                ("realtime", _c_double), ("spin", _c_double), ("tasks", _c_int), ("exchange", _c_char_p),
                ("derivatives", _c_bool), ("parameters", _c_int), ("link", _c_void_p)]


_Translate = ctypes.CFUNCTYPE(_c_void_p, _c_void_p, ctypes.POINTER(RbValue), _c_int,
                              ctypes.POINTER(RbError))


class RbStudyPlan(ctypes.Structure):
    _fields_ = [("vary", ctypes.POINTER(_c_char_p)), ("varies", _c_int), ("sample", _c_char_p),
                ("table", _c_char_p), ("keep", ctypes.POINTER(_c_char_p)), ("keeps", _c_int),
                ("trajectories", _c_char_p), ("set", ctypes.POINTER(RbValue)), ("sets", _c_int),
                ("options", ctypes.POINTER(RbOptions)), ("translate", _Translate),
                ("owner", _c_void_p)]


class RbStudyProgress(ctypes.Structure):
    _fields_ = [("cases", _c_long), ("done", _c_long), ("failed", _c_long)]


_StudyProgress = ctypes.CFUNCTYPE(_c_bool, _c_void_p, ctypes.POINTER(RbStudyProgress))


class RbStudyListener(ctypes.Structure):
    _fields_ = [("progress", _StudyProgress), ("owner", _c_void_p)]


_Point = ctypes.CFUNCTYPE(_c_int, _c_void_p, _c_void_p, _c_double)
_Progress = ctypes.CFUNCTYPE(_c_bool, _c_void_p, _c_void_p, _c_double)
_Say = ctypes.CFUNCTYPE(None, _c_void_p, _c_double, _c_bool, _c_char_p)
_Asked = ctypes.CFUNCTYPE(_c_bool, _c_void_p)
_Trace = ctypes.CFUNCTYPE(None, _c_void_p, _c_char_p)


class RbListener(ctypes.Structure):
    _fields_ = [("point", _Point), ("progress", _Progress), ("say", _Say), ("trace", _Trace),
                ("owner", _c_void_p), ("asked", _Asked)]


STRUCTURES = (RbError, RbMessage, RbSettings, RbValue, RbRequest, RbInfo, RbVariable, RbOptions,
              RbListener, RbStudyPlan, RbStudyProgress, RbStudyListener)

_error, _ints, _doubles = (ctypes.POINTER(RbError), ctypes.POINTER(_c_int),
                           ctypes.POINTER(_c_double))
_FUNCTIONS = {
    "rb_version": (_c_char_p,),
    "rb_compiler_new": (_c_void_p, ctypes.POINTER(RbSettings), _error),
    "rb_compiler_free": (None, _c_void_p),
    "rb_add_library": (_c_int, _c_void_p, _c_char_p, _error),
    "rb_add_default_libraries": (_c_int, _c_void_p, _c_char_p, _c_char_p, _error),
    "rb_translate": (_c_void_p, _c_void_p, ctypes.POINTER(RbRequest), _error),
    "rb_message_count": (_c_int, _c_void_p),
    "rb_messages": (_c_char_p, _c_void_p, _c_int, _c_int),
    "rb_program_open": (_c_void_p, _c_char_p, ctypes.POINTER(RbSettings), _error),
    "rb_program_save": (_c_int, _c_void_p, _c_char_p, _error),
    "rb_program_free": (None, _c_void_p),
    "rb_info": (RbInfo, _c_void_p),
    "rb_variable": (RbVariable, _c_void_p, _c_int, _c_char_p, _c_size_t),
    "rb_find": (_c_int, _c_void_p, _c_char_p),
    "rb_simulation_new": (_c_void_p, _c_void_p, ctypes.POINTER(RbOptions), _error),
    "rb_simulation_free": (None, _c_void_p),
    "rb_set": (_c_int, _c_void_p, _c_char_p, _c_double, _error),
    "rb_listen": (None, _c_void_p, ctypes.POINTER(RbListener)),
    "rb_initialise": (_c_int, _c_void_p, _error),
    "rb_step": (_c_int, _c_void_p, _c_double, _error),
    "rb_run": (_c_int, _c_void_p, _error),
    "rb_time": (_c_double, _c_void_p),
    "rb_get_text": (_c_char_p, _c_void_p, _c_char_p),
    "rb_get_number": (_c_double, _c_void_p, _c_int),
    "rb_sensitivities": (_c_int, _c_void_p, ctypes.POINTER(_c_char_p), _c_int, _error),
    "rb_sensitivity": (_c_double, _c_void_p, _c_int, _c_int),
    "rb_get_numbers": (None, _c_void_p, _ints, _c_int, _doubles),
    "rb_copy": (_c_void_p, _c_void_p, _error),
    "rb_state_bytes": (_c_size_t, _c_void_p),
    "rb_state_save": (_c_int, _c_void_p, _c_char_p, _c_size_t, _error),
    "rb_state_restore": (_c_int, _c_void_p, _c_char_p, _c_size_t, _error),
    "rb_simulation_messages": (_c_char_p, _c_void_p, _c_int, _c_int),
    "rb_statistics": (_c_char_p, _c_void_p),
    "rb_record": (_c_int, _c_void_p, _c_char_p, _c_char_p, _error),
    "rb_record_end": (_c_int, _c_void_p, _error),
    "rb_study_new": (_c_void_p, _c_void_p, ctypes.POINTER(RbStudyPlan), _error),
    "rb_study_free": (None, _c_void_p),
    "rb_study_journal": (_c_int, _c_void_p, _c_char_p, _c_bool, _error),
    "rb_study_run": (_c_int, _c_void_p, _c_int, ctypes.POINTER(RbStudyListener), _error),
    "rb_study_cases": (_c_long, _c_void_p),
    "rb_study_columns": (_c_int, _c_void_p),
    "rb_study_varied": (_c_int, _c_void_p),
    "rb_study_column": (_c_char_p, _c_void_p, _c_int),
    "rb_study_value": (_c_double, _c_void_p, _c_long, _c_int),
    "rb_study_status": (_c_int, _c_void_p, _c_long),
    "rb_study_reason": (_c_char_p, _c_void_p, _c_long),
    "rb_study_courses": (_c_int, _c_void_p),
    "rb_study_course": (_c_char_p, _c_void_p, _c_int),
    "rb_study_points": (_c_long, _c_void_p, _c_long, ctypes.POINTER(_doubles)),
    "rb_study_write": (_c_int, _c_void_p, _c_char_p, _error),
}


def _places():
    here = os.path.dirname(os.path.abspath(__file__))
    if os.environ.get("RUBATO_LIBRARY"):
        yield os.environ["RUBATO_LIBRARY"]
        return
    for folder in (here, os.path.join(here, "..", "..", "build"),
                   os.path.join(here, "..", "..", "..", "lib")):
        for name in ("librubato.so", "librubato.so.0"):
            if os.path.exists(os.path.join(folder, name)):
                yield os.path.join(folder, name)
    yield "librubato.so.0"


def _load():
    why = None
    for path in _places():
        try:
            library = ctypes.CDLL(path)
        except OSError as error:
            why = error
            continue
        for name, (result, *arguments) in _FUNCTIONS.items():
            function = getattr(library, name)
            function.restype, function.argtypes = result, arguments
        return library
    raise ImportError(f"librubato.so is not found; RUBATO_LIBRARY may name it: {why}")


_lib = _load()


def version():
    """Version of the library, as a text."""
    return _lib.rb_version().decode()


# ---- errors and texts ---------------------------------------------------------------------------

class RubatoError(Exception):
    """A call that failed: status (one of STATUS), text, and the place in a model if there is one.

    messages holds all that the compiler or the simulation said, for people."""

    def __init__(self, status, text, file="", line=0, column=0, messages=""):
        self.status, self.text, self.file = status, text, file
        self.line, self.column, self.messages = line, column, messages
        super().__init__(f"{file}:{line}:{column}: {text}" if file else text)


def _fail(error, messages=""):
    raise RubatoError(STATUS[error.status], error.text.decode(errors="replace"),
                      error.file.decode(errors="replace"), error.line, error.column, messages)


def _bytes(text):
    return None if text is None else os.fsencode(text)


def _modelica(value):
    """A value as Modelica writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return "{" + ", ".join(_modelica(v) for v in value) + "}"
    return repr(value) if isinstance(value, float) else str(value)


def _number(value):
    """The value as a float, or None if it is something else than a number."""
    try:
        return float(value)
    except (TypeError, ValueError):
        return {"true": 1.0, "false": 0.0}.get(value)


def _array(flat, column, columns):
    """One column of rows that stand one after the other."""
    if numpy:
        return numpy.frombuffer(flat, dtype=float).reshape(-1, columns)[:, column]
    return flat[column::columns]


# ---- compiler ----------------------------------------------------------------------------------

class _Held:
    """What this object alone holds in the library: a second one of the same would give it back twice."""

    def __reduce__(self):
        raise TypeError(f"a {type(self).__name__} can be neither copied nor pickled")


class Compiler(_Held):
    """Loaded libraries. libraries: package folders, .mo files, or folders that hold libraries.

    cache: folder for compiled code and translated models (None: none); trust: also run C code of
    libraries that are not installed; defaults: also the places of MODELICAPATH."""

    def __init__(self, libraries=(), cache=None, c_compiler=None, trust=False, defaults=False):
        error = RbError()
        self._self = _lib.rb_compiler_new(RbSettings(_bytes(cache), _bytes(c_compiler), trust),
                                          error)
        if not self._self:
            _fail(error)
        for path in libraries:
            if _lib.rb_add_library(self._self, _bytes(path), error) != _OK:
                _fail(error, self.messages())
        if defaults:
            _lib.rb_add_default_libraries(self._self, _bytes(os.environ.get("MODELICAPATH")),
                                          _bytes(os.environ.get("HOME")), error)

    def __del__(self):
        if getattr(self, "_self", None):
            _lib.rb_compiler_free(self._self)

    def translate(self, target, model=None, set=None, rates=False, fresh=False, text=None,
                  sensitivities=False):
        """A Program out of a file FILE.mo (its last class, or `model`) or a class of the libraries.

        text: the Modelica text itself; target is then its name in messages.

        set: values by name; those that shape the model are built in, the others are given to every
        simulation of it. rates: the simulation shall use several rates. sensitivities: it may be asked
        for derivatives with respect to parameters."""
        error, given = RbError(), dict(set or {})
        values = (RbValue * (len(given) + 1))(
            *(RbValue(name.encode(), _modelica(v).encode()) for name, v in given.items()))
        request = RbRequest(target=_bytes(target), model=_bytes(model), set=values,
                            sets=len(given), rates=rates, fresh=fresh, text=_bytes(text),
                        sensitivities=sensitivities)
        before = _lib.rb_message_count(self._self)
        program = _lib.rb_translate(self._self, request, error)
        if not program:
            _fail(error, self.messages(before))
        return Program(program, given, self.messages(before))

    def messages(self, first=0):
        """What the compiler said from message number `first` on."""
        return _lib.rb_messages(self._self, first, 0).decode(errors="replace")


def translate(target, model=None, libraries=(), set=None, rates=False, text=None,
              sensitivities=False, **settings):
    """A Program: see Compiler for libraries and settings, Compiler.translate for the rest."""
    return Compiler(libraries, **settings).translate(target, model, set, rates, text=text,
                                                     sensitivities=sensitivities)


# ---- program -----------------------------------------------------------------------------------

class Variable:
    """name, unit, description, kind (one of KINDS), state and settable of a variable."""

    def __init__(self, number, raw):
        self.number, self.kind = number, KINDS[raw.kind]
        self.name, self.unit, self.description = (
            (t or b"").decode(errors="replace") for t in (raw.name, raw.unit, raw.description))
        self.state, self.settable = raw.state, raw.settable

    def __repr__(self):
        return f"<{self.kind} {self.name}>"


class Program(_Held):
    """A translated model. It never changes; many simulations on many threads share it."""

    def __init__(self, raw, given=None, messages=""):
        self._self, self.given, self.messages = raw, given or {}, messages
        self._texts = {}  # by name of a variable: it is a String

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    @classmethod
    def open(cls, file, cache=None, c_compiler=None):
        """A program that save wrote."""
        error = RbError()
        raw = _lib.rb_program_open(_bytes(file), RbSettings(_bytes(cache), _bytes(c_compiler)),
                                   error)
        return cls(raw) if raw else _fail(error)

    def save(self, file):
        """Writes the program to a file; values given at translation are not part of it."""
        error = RbError()
        if _lib.rb_program_save(self._self, _bytes(file), error) != _OK:
            _fail(error)

    def __del__(self):
        if getattr(self, "_self", None):
            _lib.rb_program_free(self._self)

    @property
    def info(self):
        """Counts and the experiment of the model, as a dict; NaN where the model says nothing."""
        raw = _lib.rb_info(self._self)
        info = {name: getattr(raw, name) for name, _ in RbInfo._fields_}
        info["model"] = info["model"].decode()
        return info

    def variables(self, pattern=None):
        """Variables whose names contain a match of a regular expression; None: all."""
        wanted = re.compile(pattern or "")
        room = ctypes.create_string_buffer(4096)
        all_ = (Variable(k, _lib.rb_variable(self._self, k, room, len(room)))
                for k in range(_lib.rb_info(self._self).variables))
        return [v for v in all_ if v.kind != "hidden" and wanted.search(v.name)]

    def find(self, name):
        """Number of a variable; KeyError if there is none."""
        number = _lib.rb_find(self._self, name.encode())
        if number < 0:
            raise KeyError(f"the model has no variable '{name}'")
        return number


# ---- simulation --------------------------------------------------------------------------------

class Simulation(_Held):
    """Values over a program, moved by step and run; sim["x"] is the value of x at sim.time.

    set: parameters and start values by name. start, stop, tolerance: those of the model if None.
    interval: between points of a result; below 0: only ends and events. method: NAME[,NAME...] of
    the levels; rates: most levels, -1: automatic, for a program translated with rates. realtime: simulated
    seconds a second at ticks; spin (seconds), tasks, exchange: see docs/clocks.md."""

    _held = None

    def __init__(self, program, set=None, start=None, stop=None, tolerance=None, interval=None,
                 method=None, rates=0, solver=None, threads=0, max_steps=0, tier=None, realtime=0,
                 spin=0, tasks=0, exchange=None, _raw=None):
        error = RbError()
        self.program, self._listener, self._raised = program, None, None
        options = RbOptions(
            given_start=start is not None, start=start or 0, given_stop=stop is not None,
            stop=stop or 0, given_tolerance=tolerance is not None, tolerance=tolerance or 0,
            interval=interval or 0, max_steps=max_steps, solver=_bytes(solver),
            method=_bytes(method), rates=rates, threads=threads, tier=tier or 0,
            given_tier=tier is not None, realtime=realtime, spin=spin, tasks=tasks,
            exchange=_bytes(exchange))
        self._held = _raw or _lib.rb_simulation_new(program._self, options, error)
        if not self._held:
            _fail(error)
        for name, value in program.given.items() if not _raw else ():
            if _number(value) is not None:
                self._set(name, _number(value), shaping=True)
        for name, value in (set or {}).items():
            self[name] = value

    def __del__(self):
        self.close()

    @property
    def _self(self):
        if not self._held:
            raise ValueError("this simulation is closed")
        return self._held

    def close(self):
        """Gives back all memory. The simulation cannot be used any more."""
        if self._held:
            _lib.rb_simulation_free(self._held)
        self._held = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _check(self, status, error):
        if self._raised:
            raised, self._raised = self._raised, None
            raise raised
        if status not in (_OK, _END):
            _fail(error, self.messages())
        return status == _OK

    def _set(self, name, value, shaping=False):
        error = RbError()
        status = _lib.rb_set(self._self, name.encode(), value, error)
        if status != _OK and not (shaping and status == _TRANSLATE):
            _fail(error)

    def __setitem__(self, name, value):
        """A parameter or start value before the start; an input also between steps."""
        self._set(name, float(value))

    def __getitem__(self, name):
        """The value at the present time; a str of a String."""
        texts = self.program._texts
        if name not in texts:
            texts[name] = _lib.rb_get_text(self._self, name.encode()) is not None
        if texts[name]:
            return _lib.rb_get_text(self._self, name.encode()).decode(errors="replace")
        return _lib.rb_get_number(self._self, self.program.find(name))

    def sensitivities(self, *names):
        """Before the start: derivatives with respect to these parameters and start values go along."""
        error, list_ = RbError(), (_c_char_p * len(names))(*(n.encode() for n in names))
        self._check(_lib.rb_sensitivities(self._self, list_, len(names), error), error)
        self._names = list(names)

    def sensitivity(self, variable, name):
        """The derivative of a variable with respect to one of them, at the present time."""
        return _lib.rb_sensitivity(self._self, self.program.find(variable),
                                   self._names.index(name))

    @property
    def time(self):
        """The present time."""
        return _lib.rb_time(self._self)

    def initialise(self):
        """Parameters and start values; step and run do it if it was not done before."""
        error = RbError()
        self._check(_lib.rb_initialise(self._self, error), error)

    def step(self, time):
        """On to a time. False: the model ended the simulation before."""
        error = RbError()
        return self._check(_lib.rb_step(self._self, time, error), error)

    def run(self):
        """On to the end. False: the model ended the simulation before."""
        error = RbError()
        return self._check(_lib.rb_run(self._self, error), error)

    def listen(self, point=None, progress=None, say=None):
        """Functions to call: point(sim, time) at every point of the result, progress(sim, time)
        after every step, which ends the simulation if it returns False, and say(time, warning, text)
        for messages of the model."""
        def guard(call, wrong):
            def guarded(*arguments):
                try:
                    return call(*arguments)
                except BaseException as raised:  # it goes on where the step was asked for
                    self._raised = raised
                    return wrong
            return guarded

        def on_point(_, __, time):
            point(self, time)
            return _OK

        def on_progress(_, __, time):
            return progress(self, time) is not False

        def on_say(_, time, warning, text):
            say(time, warning, text.decode(errors="replace"))

        self._listener = RbListener(
            _Point(guard(on_point, _STOPPED)) if point else _Point(),
            _Progress(guard(on_progress, False)) if progress else _Progress(),
            _Say(guard(on_say, None)) if say else _Say())
        _lib.rb_listen(self._self, self._listener)

    def record(self, file, variables=None):
        """Results to a file .mat or .csv, before the start: variables that match an expression."""
        error = RbError()
        self._check(_lib.rb_record(self._self, _bytes(file), _bytes(variables), error), error)

    def record_end(self):
        """The file of the results is complete."""
        error = RbError()
        self._check(_lib.rb_record_end(self._self, error), error)

    def save(self):
        """The state as bytes, between steps."""
        error, room = RbError(), _lib.rb_state_bytes(self._self)
        state = ctypes.create_string_buffer(room)
        self._check(_lib.rb_state_save(self._self, state, room, error), error)
        return state.raw

    def restore(self, state):
        """Back to a state of a simulation of the same program."""
        error = RbError()
        self._check(_lib.rb_state_restore(self._self, state, len(state), error), error)

    def copy(self):
        """Another simulation with the same values at the same time."""
        error = RbError()
        raw = _lib.rb_copy(self._self, error)
        return Simulation(self.program, _raw=raw) if raw else _fail(error)

    __copy__ = copy

    def __deepcopy__(self, memo):
        return self.copy()

    @property
    def statistics(self):
        """Counts of the run as a dict."""
        return json.loads(_lib.rb_statistics(self._self))

    def messages(self):
        """What was said about the run, for people."""
        return _lib.rb_simulation_messages(self._self, 0, 0).decode(errors="replace")


# ---- results -----------------------------------------------------------------------------------

class Result:
    """result.time and result[name]: arrays over the points; final: the last values as a dict."""

    def __init__(self, names, flat, simulation, completed):
        self.names, self._flat, self._width = names, flat, len(names) + 1
        self._column = {name: k + 1 for k, name in enumerate(names)}
        self.statistics, self.messages = simulation.statistics, simulation.messages()
        self.completed = completed  # False: the model ended the simulation before the end

    def __len__(self):
        return len(self._flat) // self._width

    @property
    def time(self):
        return _array(self._flat, 0, self._width)

    def __repr__(self):
        return f"<rubato.Result: {len(self)} points of {len(self.names)} variables>"

    def __getitem__(self, name):
        if name not in self._column:
            like = difflib.get_close_matches(name, self.names, 1)
            raise KeyError(f"the result has no variable {name!r}" + (f"; did you mean {like[0]!r}?" if like else ""))
        return _array(self._flat, self._column[name], self._width)

    def __contains__(self, name):
        return name in self._column

    @property
    def final(self):
        return dict(zip(self.names, self._flat[-len(self.names):])) if self.names else {}


def simulate(program, set=None, start=None, stop=None, tolerance=None, interval=None, method=None,
             rates=0, variables=None, **options):
    """A whole run: the Result has the variables whose names match an expression (None: all).

    program: a Program, or what translate() takes. Options are those of Simulation."""
    if isinstance(program, (str, os.PathLike)):
        program = translate(program, rates=rates not in (0, 1))
    with Simulation(program, set, start, stop, tolerance, interval, method, rates,
                    **options) as sim:
        chosen = program.variables(variables)
        number = (_c_int * (len(chosen) + 1))(*(v.number for v in chosen))
        row = (_c_double * (len(chosen) + 1))()
        values = ctypes.cast(ctypes.byref(row, ctypes.sizeof(_c_double)), _doubles)
        flat = array.array("d")

        def point(_, time):
            row[0] = time
            _lib.rb_get_numbers(sim._self, number, len(chosen), values)
            flat.frombytes(memoryview(row).cast("B"))
        sim.listen(point=point)
        completed = sim.run()
        return Result([v.name for v in chosen], flat, sim, completed)


# ---- many runs ---------------------------------------------------------------------------------

class Table:
    """Rows of a sweep: table.columns are names, table[name] is a column, table.rows are tuples.

    errors: by number of the row, why its simulation failed; its outputs are NaN."""

    def __init__(self, columns, rows, errors):
        self.columns, self.rows, self.errors = columns, rows, errors

    def __len__(self):
        return len(self.rows)

    def __iter__(self):
        return iter(self.rows)

    def __getitem__(self, name):
        k = self.columns.index(name)
        column = array.array("d", (row[k] for row in self.rows))
        return numpy.array(column) if numpy else column

    def __str__(self):
        cells = [self.columns] + [[f"{x:.6g}" for x in row] for row in self.rows]
        width = [max(len(line[k]) for line in cells) for k in range(len(self.columns))]
        return "\n".join("  ".join(c.rjust(w) for c, w in zip(line, width)) for line in cells)

    def save(self, file):
        """As a CSV file."""
        with open(file, "w", newline="", encoding="utf-8") as out:
            csv.writer(out).writerows([self.columns, *self.rows])


def sweep(program, values, outputs, threads=None, set=None, **options):
    """One simulation for each combination of values {name: [value, ...]}, on several threads.

    The Table has a column for each name and for the value of each output at the end. set gives
    further values to all; options are those of Simulation. Rows do not depend on threads."""
    numbers = [program.find(name) for name in outputs]
    cases = list(itertools.product(*values.values()))
    errors = {}

    def run(case):
        k, value = case
        given = {**(set or {}), **dict(zip(values, value))}
        try:
            with Simulation(program, given, interval=-1, **options) as sim:
                sim.run()
                return [_lib.rb_get_number(sim._self, n) for n in numbers]
        except RubatoError as error:
            if error.status in ("argument", "translate"):
                raise
            errors[k] = error
            return [float("nan")] * len(numbers)

    with concurrent.futures.ThreadPoolExecutor(threads or os.cpu_count()) as pool:
        found = list(pool.map(run, enumerate(cases)))
    rows = [(*map(float, case), *row) for case, row in zip(cases, found)]
    return Table([*values, *outputs], rows, dict(sorted(errors.items())))


def _texts(words):
    return (_c_char_p * (len(words) + 1))(*(w.encode() for w in words))


class Study(_Held):
    """Many runs of one program; docs/studies.md tells how vary, sample and keep are written.

    study.run() computes what is not done, study.columns are names, study[name] is a column by case, NaN where a case
    failed; errors: by number of the case from 0, why. journal: a file that survives a kill; resume: go on with it.
    trajectory(case) is a dict of arrays. Options are those of RbOptions, as stop=2 or tolerance=1e-8."""

    def __init__(self, program, vary=(), sample=None, table=None, keep=(), trajectories=None,
                 set=None, journal=None, resume=False, **options):
        error, given = RbError(), {**program.given, **(set or {})}
        for name in ("start", "stop", "tolerance"):
            if name in options:
                options["given_" + name] = True
        for name in ("solver", "method"):
            if name in options:
                options[name] = _bytes(options[name])
        values = (RbValue * (len(given) + 1))(
            *(RbValue(name.encode(), _modelica(v).encode()) for name, v in given.items()))
        plan = RbStudyPlan(vary=_texts(vary), varies=len(vary), sample=_bytes(sample),
                           table=_bytes(table), keep=_texts(keep), keeps=len(keep),
                           trajectories=_bytes(trajectories), set=values, sets=len(given),
                           options=ctypes.pointer(RbOptions(**options)))
        self.program = program
        self._self = _lib.rb_study_new(program._self, plan, error)
        if not self._self:
            _fail(error)
        if journal and _lib.rb_study_journal(self._self, _bytes(journal), resume, error) != _OK:
            _fail(error)

    def __del__(self):
        if getattr(self, "_self", None):
            _lib.rb_study_free(self._self)

    def __len__(self):
        return _lib.rb_study_cases(self._self)

    def run(self, threads=None, progress=None):
        """progress(cases, done, failed) is called ten times a second; False ends the study."""
        def look(_, now):
            p = now.contents
            return not progress or progress(p.cases, p.done, p.failed) is not False
        listener, error = RbStudyListener(_StudyProgress(look)), RbError()
        status = _lib.rb_study_run(self._self, threads or os.cpu_count() or 1, listener, error)
        if status != _OK:
            _fail(error)
        return self

    @property
    def columns(self):
        return [_lib.rb_study_column(self._self, k).decode()
                for k in range(_lib.rb_study_columns(self._self))]

    def __getitem__(self, name):
        k = self.columns.index(name)
        column = array.array("d", (_lib.rb_study_value(self._self, i, k) for i in range(len(self))))
        return numpy.array(column) if numpy else column

    @property
    def errors(self):
        bad = (i for i in range(len(self)) if _lib.rb_study_status(self._self, i) > _END)
        return {i: _lib.rb_study_reason(self._self, i).decode(errors="replace") for i in bad}

    def trajectory(self, case):
        """time and the kept variables of a case, by name."""
        names = ["time"] + [_lib.rb_study_course(self._self, k).decode()
                            for k in range(_lib.rb_study_courses(self._self))]
        raw = _doubles()
        points = _lib.rb_study_points(self._self, case, raw)
        flat = array.array("d", raw[:points*len(names)] if points else [])
        return {name: _array(flat, k, len(names)) for k, name in enumerate(names)}

    def save(self, file):
        """As FILE.csv or FILE.mat."""
        error = RbError()
        if _lib.rb_study_write(self._self, _bytes(file), error) != _OK:
            _fail(error)
