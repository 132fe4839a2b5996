# SPDX-License-Identifier: Apache-2.0
"""Studies of a server (``summand serve``), from any machine: nearly all methods of ``Study`` over HTTP."""

from __future__ import annotations

import http.client
import json
import math
import os
import socket
import ssl
import time
import urllib.parse
import uuid
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Optional, Union

from .checks import number, shown, text, trial_id, whole
from .errors import Error, InvalidArgument, NumericalError, StorageError
from .frames import is_point, rows
from .insight import Array, GroupSlice, Importance, Structure, slice_from, structure_from
from .optimizer import asked_count, one_outcome, outcome, outcomes
from .options import to_json
from .predict import Predictor
from .space import Choice, Parameter, Point, SearchSpace, Value, _describe
from .study_view import StudyView
from .trial import Best, Recommended, Trial
from .values import value_of

__all__ = ["Client"]

_KINDS = {"unavailable": StorageError, "failure": NumericalError}


def _study_parameters(space: SearchSpace) -> dict[str, Any]:
    """A search space as the [parameters] of a study file."""
    described = {}
    for parameter in space:
        kind, name, *rest = _describe(parameter)
        keys = ["values", "scale"] if kind in ("choice", "levels") else ["low", "high", "scale"]
        described[name] = {"type": kind, **dict(zip(keys, rest))}
    return described


class Client(StudyView):
    """One study of a server, with the methods of :class:`Study` but ``report``, ``optimizer``, ``accept_new_strategy`` and
    ``database``, which need the database itself; and with ``correct``, ``rerun``, ``pause``, ``resume``, ``set_budget`` and ``delete``.

    ::

        study = Client("http://localhost:8642", "push")                                   # one that is there
        study = Client("http://localhost:8642", "push", space, goal="maximize", budget=200)  # made if it is new

    A request that gets no answer, because the server restarts or the network fails, is sent again for ``patience_seconds``;
    asks and answers carry a key, so that a repetition changes nothing. For one thread; processes and threads need one each.

    :param token: what the server demands, if anything; default: the environment variable SUMMAND_TOKEN.
    :param ca_file: certificates to trust besides the system's, for https.
    :param options: the optimiser's, as for ``Study``.
    """

    def __init__(
        self,
        url: str,
        name: str,
        space: Union[SearchSpace, Sequence[Parameter], Mapping[str, object], None] = None,
        *,
        goal: str = "minimize",
        batch_size: int = 1,
        seed: int = 0,
        budget: Optional[int] = None,
        optimum: Optional[float] = None,
        token: Optional[str] = None,
        ca_file: Optional[str] = None,
        patience_seconds: float = 60.0,
        **options: object,
    ) -> None:
        self._host, self._port, self._tls = _address(url)
        self._context = _context(ca_file) if self._tls else None
        self._token = _header("token", os.environ.get("SUMMAND_TOKEN", "") if token is None else token)
        self._patience = number("Client", "patience_seconds", patience_seconds)
        self._predictor = Predictor()
        self._connection: Optional[http.client.HTTPConnection] = None
        self._name = text("Client", "name", name)
        self._url = url
        if space is not None:
            given = space if isinstance(space, SearchSpace) else SearchSpace(space)
            file: dict[str, Any] = {
                "name": name, "goal": goal, "parameters": _study_parameters(given),
                "optimizer": json.loads(to_json({"batch_size": batch_size, "seed": seed, **options})),
            }  # fmt: skip
            if budget is not None:
                file["budget"] = whole("Client", "budget", budget, 1)
            if optimum is not None:
                file["optimum"] = number("Client", "optimum", optimum)
            self._request("POST", "/studies", file)
        shown = self._show()
        described = {p.pop("name"): p for p in shown["parameters"]}
        if space is None:
            for name, words in shown["settings"].get("literals", {}).items():  # numbers and truth values, as their words
                described[name]["values"] = [value_of(word, words) for word in described[name]["values"]]
            self._space = SearchSpace(described)
        else:
            self._space = given  # its choices may be of any kind

    @property
    def name(self) -> str:
        return self._name

    @property
    def options(self) -> dict[str, Any]:
        """The optimiser's options with the preset's values filled in."""
        found: dict[str, Any] = self._show()["options"]
        return found

    @property
    def budget(self) -> Optional[int]:
        """The most trials that are ever issued; None: no limit."""
        found: Optional[int] = self._show()["budget"]
        return found

    def ask(
        self,
        count: Optional[int] = None,
        *,
        worker: Optional[str] = None,
        lease_seconds: Optional[float] = None,
        key: str = "",
    ) -> list[Trial]:
        """Trials to evaluate (default: batch_size); see ``Study.ask``.

        :param worker: who evaluates them; None: this process on this machine.
        """
        count = asked_count(count)
        body: dict[str, Any] = {"worker": _this_worker() if worker is None else worker}
        if count is not None:
            body["count"] = count
        if lease_seconds is not None:
            body["lease_seconds"] = number("ask", "lease_seconds", lease_seconds, above=0.0)
        found = self._request("POST", self._path("ask"), body, key or uuid.uuid4().hex)
        return [Trial(t["id"], self._values(t["parameters"])) for t in found["trials"]]

    def tell(
        self,
        trial: Union[Trial, int],
        value: Optional[float] = None,
        *,
        failed: Optional[str] = None,
        also: Optional[Mapping[str, float]] = None,
        worker: str = "",
        key: str = "",
    ) -> str:
        """The value at a trial (or its id), or ``failed="the reason"``; see ``Study.tell`` for what it returns."""
        body = _answer(value, failed, also)
        if worker:
            body["worker"] = worker
        result: str = self._request("POST", self._trial(trial, "tell"), body, key or uuid.uuid4().hex)["result"]
        return result

    def correct(self, trial: Union[Trial, int], value: Optional[float] = None, *, failed: Optional[str] = None) -> str:
        """Another answer in the place of the one that counts, which stays in the history."""
        found = self._request("POST", self._trial(trial, "correct"), _answer(value, failed, None), uuid.uuid4().hex)
        result: str = found["result"]
        return result

    def add(self, points: Any, values: Any, *, key: str = "") -> Union[int, list[int]]:
        """The user's own data, outside the budget; all or nothing. None as a value means failed, and so does what is missing (NaN) in
        a table's column. Returns the ids."""
        single = is_point(points)
        given, told = rows("add", points), [outcome("add", values)] if single else outcomes(values)
        if len(given) != len(told):
            raise InvalidArgument(f"add: there are {len(given)} points and {len(told)} values; each point needs one value")
        evaluations = [
            {"parameters": self._sent(point), **({"failed": "failed"} if value is None else {"value": value})}
            for point, value in zip(given, told)
        ]
        found = self._request("POST", self._path("add"), {"evaluations": evaluations}, key or uuid.uuid4().hex)
        ids: list[int] = found["ids"]
        return ids[0] if single else ids

    def enqueue(self, points: Any, *, key: str = "") -> list[int]:
        """Points (or one) to evaluate before any suggestion, within the budget. Returns their ids."""
        body = {"points": [self._sent(point) for point in rows("enqueue", points)]}
        ids: list[int] = self._request("POST", self._path("enqueue"), body, key or uuid.uuid4().hex)["ids"]
        return ids

    def abandon(self, trial: Union[Trial, int]) -> None:
        """The answer to this trial is not wanted any more."""
        self._request("POST", self._trial(trial, "abandon"))

    def rerun(self, trial: Union[Trial, int]) -> None:
        """To be evaluated once more: it waits for the next ask."""
        self._request("POST", self._trial(trial, "rerun"))

    def renew(self, worker: str, lease_seconds: float) -> None:
        """The worker is alive: extends the leases of all it runs."""
        lease = number("renew", "lease_seconds", lease_seconds, above=0.0)
        self._request("POST", self._path("renew"), {"worker": text("renew", "worker", worker), "lease_seconds": lease})

    def release(self, worker: Optional[str] = None) -> None:
        """The worker (default: this process) stops: what it runs may be issued again at once."""
        self._request("POST", self._path("release"), {"worker": _this_worker() if worker is None else worker})

    def pause(self) -> None:
        """From now on an ask gives no trials; answers are taken as ever."""
        self._request("PATCH", self._path(), {"paused": True})

    def resume(self) -> None:
        self._request("PATCH", self._path(), {"paused": False})

    def set_budget(self, trials: Optional[int]) -> None:
        self._request("PATCH", self._path(), {"budget": None if trials is None else whole("set_budget", "budget", trials, 1)})

    def delete(self) -> None:
        """The study with all its trials, for good."""
        self._request("DELETE", self._path())

    def best(self) -> Optional[Best]:
        found = self._request("GET", self._path("best"))["best"]
        return None if found is None else Best(found["id"], self._values(found["parameters"]), found["value"])

    def recommended(self) -> Optional[Recommended]:
        """The told point that the model expects most of, without noise; None before there is a model."""
        found = self._request("GET", self._path("recommended"))["recommended"]
        return None if found is None else Recommended(
            found["id"], self._values(found["parameters"]), found["value"], found["mean"], found["stddev"],
            found["noise_stddev"], found["noisy"], found["best_doubted"])  # fmt: skip

    def trials(self) -> list[Trial]:
        return [
            Trial(t["id"], self._values(t["parameters"]), t["state"], t["value"], t["reason"], t["added"])
            for t in self._all_trials()
        ]

    def _all_trials(self) -> Iterator[dict[str, Any]]:
        offset, total = 0, 1
        while offset < total:
            page = self._request("GET", self._path("trials") + f"?limit=5000&offset={offset}")
            total = page["total"]
            offset += max(1, len(page["trials"]))
            yield from page["trials"]

    def counts(self) -> dict[str, int]:
        counts: dict[str, int] = self._show()["counts"]
        return counts

    def structure(self) -> Structure:
        """Which parameters belong together, as of the last ask."""
        view = self._request("GET", self._path("structure"))
        keys = ("names", "groups", "found", "pair_probability", "verdict", "sentences")
        return structure_from(
            {
                **{key: view[key] for key in keys},
                "log_likelihood": view["log_likelihood"] or 0.0,
                "structures": [(one["groups"], one["weight"]) for one in view["structures"]],
                "models": [(model["name"], model["weight"]) for model in view["models"]],
            }
        )

    def importance(self) -> dict[str, Importance]:
        """The share of the model's variation that each parameter is responsible for."""
        found = self._request("GET", self._path("importance"))
        shares = zip(found["importance"], found["low"], found["high"])
        return {name: Importance(*share) for name, share in zip(found["names"], shares)}

    def predict(self, points: Any) -> tuple[Array, Array]:
        """Mean and standard deviation of the function at a point or points; see ``Optimizer.predict``. Computed here."""
        return self._predictor.predict(self._space, self.trials(), self.structure(), points)

    def group_slices(self) -> list[GroupSlice]:
        """The posterior of each group along its parameters."""
        return [slice_from(view, self._space) for view in self._request("GET", self._path("slices"))["slices"]]

    def close(self) -> None:
        """Ends the connection; the next call makes another one."""
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    def __repr__(self) -> str:
        return f"Client({self._url!r}, {self._name!r})"

    def _values(self, point: Point) -> Point:
        """A point as the user knows it: words of choices become the values they stand for."""
        choices = {parameter.name for parameter in self._space if isinstance(parameter, Choice)}
        bare = choices - {name for name, value in point.items() if isinstance(value, str)}
        return self._space._from_engine({**point, **{name: json.dumps(point[name]) for name in bare}})

    def _sent(self, point: Mapping[str, Value]) -> Point:
        """A point as the engine writes it, checked here already."""
        return self._space._core.checked(self._space._to_engine(point))

    def _path(self, *parts: str) -> str:
        return "/".join(["/studies", urllib.parse.quote(self._name, safe=""), *parts])

    def _trial(self, trial: Union[Trial, int], verb: str) -> str:
        return self._path("trials", str(trial_id(verb, trial)), verb)

    def _show(self) -> dict[str, Any]:
        found: dict[str, Any] = self._request("GET", self._path())
        return found

    def _request(self, method: str, path: str, body: Optional[Mapping[str, Any]] = None, key: str = "") -> Any:
        """Sends it until there is an answer. Everything but the requests with a key may be repeated by nature."""
        headers = {"Content-Type": "application/json"} if body is not None else {}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        if key:
            headers["Idempotency-Key"] = _header("key", key)
        content = None if body is None else _json(body)
        deadline, nap = time.monotonic() + self._patience, 0.05
        while True:
            try:
                status, answer = self._send(method, "/api/v1" + path, content, headers)
                if status not in (429, 503) or time.monotonic() > deadline:
                    return _checked(status, answer)
            except (OSError, http.client.HTTPException) as error:
                self.close()
                if time.monotonic() > deadline or isinstance(error, ssl.SSLCertVerificationError):
                    raise StorageError(f"{self._url} does not answer: {error}; is `summand serve` running there?") from error
            time.sleep(nap)
            nap = min(2.0, nap * 2)

    def _send(self, method: str, target: str, text: Optional[str], headers: dict[str, str]) -> tuple[int, bytes]:
        if self._connection is None:
            if self._context is not None:
                self._connection = http.client.HTTPSConnection(self._host, self._port, context=self._context)
            else:
                self._connection = http.client.HTTPConnection(self._host, self._port)
            self._connection.connect()
            self._connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._connection.request(method, target, text, headers)
        response = self._connection.getresponse()
        return response.status, response.read()


def _address(url: str) -> tuple[str, Optional[int], bool]:
    """Host, port, whether it is https."""
    try:
        parts = urllib.parse.urlsplit(url if "//" in url else "http://" + url)
        if parts.scheme in ("http", "https") and parts.hostname:
            return parts.hostname, parts.port, parts.scheme == "https"
    except (TypeError, ValueError):  # no str, or no port
        pass
    raise InvalidArgument(f"Client: the url is {shown(url)}; it must look like http://localhost:8642")


def _json(body: Mapping[str, Any]) -> str:
    try:
        return json.dumps(body, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise InvalidArgument(f"Client: what is to be sent is no JSON ({error}); give numbers that are finite, and str") from None


def _checked(status: int, answer: bytes) -> Any:
    if status == 204:
        return None
    try:
        found = json.loads(answer)
    except ValueError:
        raise StorageError(f"the server answered {status} with something that is not JSON; is it a Summand server?") from None
    if status < 400:
        return found
    error = found.get("error", {})
    kind = _KINDS.get(error.get("kind"), InvalidArgument if status < 500 else Error)
    raise kind(error.get("message", f"the server answered {status}"))


def _header(name: str, value: Any) -> str:
    """What may stand in a header; a file's last line end is left out. The value is not shown: it may be secret."""
    found = value.strip() if isinstance(value, str) else ""
    if not isinstance(value, str) or not found.isascii() or (found and not found.isprintable()):
        raise InvalidArgument(f"Client: {name} must be a str of printable ASCII characters")
    return found


def _context(ca_file: Optional[str]) -> ssl.SSLContext:
    try:
        return ssl.create_default_context(cafile=ca_file)
    except OSError as error:
        raise InvalidArgument(f"Client: ca_file is {ca_file!r}, which cannot be used: {error}") from None


def _answer(value: Optional[float], failed: Optional[str], also: Optional[Mapping[str, float]]) -> dict[str, Any]:
    told, reason = one_outcome("tell", value, failed)
    if told is not None and not math.isfinite(told):
        raise InvalidArgument(f"tell: the value is {told}; only finite numbers are values, so tell this evaluation as failed")
    body: dict[str, Any] = {"failed": reason} if told is None else {"value": told}
    if also:
        body["also"] = {name: number("tell", f"also[{name!r}]", value) for name, value in dict(also).items()}
    return body


def _this_worker() -> str:
    return f"{socket.gethostname()} {os.getpid()}"
