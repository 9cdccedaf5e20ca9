"""Times calls on a GPU as common/bench does (common/bench/src/timing.cpp): the same flush, graphs, numbers of samples."""

import statistics
import time

WARM_UPS = 3
MOST_SAMPLES, LEAST_SAMPLES = 200, 10
FEWEST_SAMPLES = 3  # of calls so long that ten of them would take four times what was asked for
CALLS_A_GRAPH = 50
MOST_MEMORY, MOST_COPIES = 8 << 30, 32
LONG_CALL = 5e-3


class Clock:
    def __init__(self, torch, seconds):
        self.torch, self.seconds = torch, seconds
        l2 = getattr(torch.cuda.get_device_properties(0), "L2_cache_size", 1 << 26)
        self.flush_bytes = max(l2, 1 << 20) * 2
        self._flush = torch.empty(self.flush_bytes, dtype=torch.int8, device="cuda")
        self._begin, self._end = (torch.cuda.Event(enable_timing=True) for _ in range(2))

    def copies(self, size):
        """How many copies of the arrays leave none in the cache when its turn comes again."""
        wanted = 2 * self.flush_bytes // (size + 1) + 2
        return int(max(1, min(wanted, MOST_MEMORY // (size + 1), MOST_COPIES)))

    def _take(self, sample):
        samples = []
        begin = time.monotonic()
        while len(samples) < MOST_SAMPLES:
            gone = time.monotonic() - begin
            if len(samples) >= LEAST_SAMPLES and gone >= self.seconds:
                break
            if len(samples) >= FEWEST_SAMPLES and gone >= 4 * self.seconds:
                break
            samples.append(sample())
        return samples

    def _timed(self, call):
        self._begin.record()
        result = call()
        self._end.record()
        self._end.synchronize()
        return self._begin.elapsed_time(self._end) / 1e3, result

    def cold(self, calls, size):
        """Seconds of each sample, and what the last call returned. Calls take turns; the arrays of one have this size."""
        for turn in range(WARM_UPS):
            seconds, result = self._timed(calls[turn % len(calls)])
        turn = WARM_UPS
        before = 0 if seconds > LONG_CALL else min(len(calls) - 1, self.flush_bytes // (size + 1) + 1)

        def sample():
            nonlocal turn, result
            self._flush.zero_()
            for _ in range(before):
                calls[turn % len(calls)]()
                turn += 1
            seconds, result = self._timed(calls[turn % len(calls)])
            turn += 1
            return seconds

        return self._take(sample), result

    def capture(self, call, calls=1, warm_ups=WARM_UPS):
        """A graph of so many calls, and the outputs of the last, which each replay fills."""
        torch = self.torch
        aside = torch.cuda.Stream()
        aside.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(aside):
            for _ in range(warm_ups):
                call()
        torch.cuda.current_stream().wait_stream(aside)
        torch.cuda.synchronize()
        graph, result = torch.cuda.CUDAGraph(), None
        with torch.cuda.graph(graph):
            for _ in range(calls):
                result = call()
        return graph, result

    def replayed(self, call):
        graph, result = self.capture(call, CALLS_A_GRAPH)
        graph.replay()
        self.torch.cuda.synchronize()
        return self._take(lambda: self._timed(graph.replay)[0] / CALLS_A_GRAPH), result


class WallClock:
    """Two samples on a CPU: shows that everything runs."""

    def copies(self, size):
        return 2

    def cold(self, calls, _size):
        samples, result = [], None
        for turn in range(2):
            begin = time.perf_counter()
            result = calls[turn % len(calls)]()
            samples.append(time.perf_counter() - begin)
        return samples, result


def summary(samples):
    at = sorted(samples)

    def quantile(part):
        place = part * (len(at) - 1)
        below = int(place)
        return at[below] + (place - below) * (at[min(below + 1, len(at) - 1)] - at[below])

    return {"median": statistics.median(at), "lower": quantile(0.25), "upper": quantile(0.75), "least": at[0],
            "samples": samples}
