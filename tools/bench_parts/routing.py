"""The choices of experts of common/bench/src/routing.cpp, draw for draw: both sides of a pair get the same ones."""

_WORDS, _SHIFT = 312, 156
_ALL = (1 << 64) - 1
_LOW = (1 << 31) - 1


class Random:
    """std::mt19937_64, and what bench/random.h makes of it."""

    def __init__(self, seed):
        state = [seed & _ALL]
        for i in range(1, _WORDS):
            state.append((6364136223846793005 * (state[-1] ^ (state[-1] >> 62)) + i) & _ALL)
        self._state = state
        self._at = _WORDS

    def draw(self):
        if self._at == _WORDS:
            self._turn_over()
        word = self._state[self._at]
        self._at += 1
        word ^= (word >> 29) & 0x5555555555555555
        word ^= (word << 17) & 0x71D67FFFEDA60000
        word ^= (word << 37) & 0xFFF7EEE000000000
        return word ^ (word >> 43)

    def _turn_over(self):
        state = self._state
        for i in range(_WORDS):
            mixed = (state[i] & ~_LOW & _ALL) | (state[(i + 1) % _WORDS] & _LOW)
            twisted = mixed >> 1 ^ (0xB5026F5AA96619E9 if mixed & 1 else 0)
            state[i] = state[(i + _SHIFT) % _WORDS] ^ twisted
        self._at = 0

    def below(self, end):
        return self.draw() % end

    def unit(self):
        return (self.draw() >> 40) * 2.0**-24


class Routing:
    """experts [T*K]; counts [E]; offsets [E+1]; slot_of_pair and pair_of_slot [T*K], stable."""

    def __init__(self, T, E, K, loads="random", seed=1):
        random = Random(seed)
        self.experts = []
        for t in range(T):
            chosen = [(t * K + k) % E for k in range(K)] if loads == "even" else []
            while len(chosen) < K:
                e = int((E + 1.0) ** random.unit() - 1) % E if loads == "skewed" else random.below(E)
                if e not in chosen:
                    chosen.append(e)
            self.experts += chosen
        self.counts = [0] * E
        for e in self.experts:
            self.counts[e] += 1
        self.offsets = [0]
        for count in self.counts:
            self.offsets.append(self.offsets[-1] + count)
        following = self.offsets[:-1]
        self.slot_of_pair = []
        self.pair_of_slot = [0] * len(self.experts)
        for pair, e in enumerate(self.experts):
            self.slot_of_pair.append(following[e])
            self.pair_of_slot[following[e]] = pair
            following[e] += 1
