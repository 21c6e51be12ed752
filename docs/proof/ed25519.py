"""Ed25519 after RFC 8032, section 5.1.7. It only checks signatures, so it need not hide anything by its timing."""
import functools
import hashlib

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT = pow(2, (P - 1) // 4, P)


def add(a, b):
    """Adds two points in extended coordinates (X, Y, Z, T), x = X/Z, y = Y/Z, xy = T/Z."""
    c, d = (a[1] - a[0]) * (b[1] - b[0]) % P, (a[1] + a[0]) * (b[1] + b[0]) % P
    e, f = 2 * a[3] * b[3] * D % P, 2 * a[2] * b[2] % P
    g, h, i, j = d - c, f - e, f + e, d + c
    return g * h % P, i * j % P, h * i % P, g * j % P


def times(scalar, point):
    total = (0, 1, 1, 0)
    while scalar > 0:
        if scalar & 1:
            total = add(total, point)
        point = add(point, point)
        scalar >>= 1
    return total


def point_of(data):
    """The point of 32 bytes; None for bytes that are none."""
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & (2**255 - 1)
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P != 0:
        x = x * ROOT % P
    if (x * x - square) % P != 0 or (x == 0 and sign == 1):
        return None
    if x & 1 != sign:
        x = P - x
    return x, y, 1, x * y % P


BASE = point_of(bytes.fromhex("58" + "66" * 31))


def is_small(point):
    """Whether the order of a point divides 8: as a key, it would let one signature fit many texts."""
    for _ in range(3):
        point = add(point, point)
    return point[0] % P == 0 and (point[1] - point[2]) % P == 0


def is_weak(key):
    """The same of a key in hexadecimal digits, however it is written."""
    y = (int.from_bytes(bytes.fromhex(key), "little") & (2**255 - 1)) % P
    point = point_of(y.to_bytes(32, "little"))
    return point is not None and is_small(point)


@functools.lru_cache(maxsize=1000)
def is_signed(key, text, signature):
    """Whether the Ed25519 key signed the text. All but the text are hexadecimal digits."""
    key, signature = bytes.fromhex(key), bytes.fromhex(signature)
    a, r, s = point_of(key), point_of(signature[:32]), int.from_bytes(signature[32:], "little")
    if a is None or is_small(a) or r is None or s >= ORDER:
        return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + key + text.encode()).digest(), "little") % ORDER
    left, right = times(s, BASE), add(r, times(k, a))
    return (left[0] * right[2] - right[0] * left[2]) % P == 0 and (left[1] * right[2] - right[1] * left[2]) % P == 0
