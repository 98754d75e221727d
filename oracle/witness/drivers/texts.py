"""texts.py - canonical texts: floats exactly, pointers in hex. They are the same in every witness."""
import functools
from fractions import Fraction

MASK = (1 << 64) - 1



# bits of the fraction, of the exponent, whether the integer bit is stored, digits that always do
FLOATS = {"half": (10, 5, 0, 5), "brain": (7, 8, 0, 4), "single": (23, 8, 0, 9),
          "double": (52, 11, 0, 17), "x87": (63, 15, 1, 21), "quad": (112, 15, 0, 36)}


def float_format(size, name):
    """The format of a float type of this many bytes; None if there is none."""
    if size == 2:
        return "brain" if "bf" in name else "half"
    if size == 16:
        return "quad" if "128" in name else "x87"
    return {4: "single", 8: "double", 10: "x87", 12: "x87"}.get(size)


def _digits(value, count):
    """A positive fraction rounded to so many decimal digits, ties to even: (digits, exponent)."""
    # Decimal digits are 0.30103 of the binary ones. Counting them would be exact, but Python may refuse
    # to write out the numbers of a long double.
    bits = value.numerator.bit_length() - value.denominator.bit_length()
    exponent = int(bits * 0.30103)
    while value >= Fraction(10) ** (exponent + 1):
        exponent += 1
    while value < Fraction(10) ** exponent:
        exponent -= 1
    number = round(value / Fraction(10) ** (exponent - count + 1))  # Python's ties go to even
    if number == 10 ** count:
        return 10 ** (count - 1), exponent + 1
    return number, exponent


def _general(number, exponent, count):
    """As C's %g writes it with this precision."""
    digits = str(number)
    if exponent < -4 or exponent >= count:
        digits = digits.rstrip("0")
        point = digits[0] + ("." + digits[1:] if len(digits) > 1 else "")
        return "%se%s%02d" % (point, "-" if exponent < 0 else "+", abs(exponent))
    if exponent < 0:
        return ("0." + "0" * (-exponent - 1) + digits).rstrip("0")
    whole, rest = digits[:exponent + 1], digits[exponent + 1:].rstrip("0")
    return whole + ("." + rest if rest else "")


def _reads_back(told, exact, unit, significand, smaller_below):
    """Whether a number is rounded to the float significand * unit: it may be half a unit away, and
    at most that if the float is even. Below a power of two units are half as large."""
    half = unit / 4 if told < exact and smaller_below else unit / 2
    return abs(told - exact) < half or (abs(told - exact) == half and significand % 2 == 0)


@functools.lru_cache(maxsize=4096)
def float_text(kind, data):
    """The shortest decimal text that reads back to the same bytes, as C's %g writes it; inf and
    nan(0x..) with the fraction's bits."""
    fraction, exponent, integer, most = FLOATS[kind]
    bits = int.from_bytes(data, "little") & ((1 << (fraction + integer + exponent + 1)) - 1)
    sign = "-" if bits >> (fraction + integer + exponent) else ""
    field = bits >> (fraction + integer) & ((1 << exponent) - 1)
    low = bits & ((1 << fraction) - 1)
    unit_bit = bits >> fraction & 1 if integer else int(field != 0)
    if field == (1 << exponent) - 1:
        return sign + ("inf" if (unit_bit or not integer) and low == 0 else "nan(0x%x)" % low)
    if field and not unit_bit:
        return sign + "nan(0x%x)" % low  # x87: what the processor refuses
    significand = low | unit_bit << fraction
    if not significand:
        return sign + "0"
    unit = Fraction(2) ** (max(field, 1) - ((1 << (exponent - 1)) - 1) - fraction)
    exact = significand * unit
    smaller_below = field > 1 and significand == 1 << fraction
    for count in range(1, most + 1):
        number, power = _digits(exact, count)
        told = number * Fraction(10) ** (power - count + 1)
        if _reads_back(told, exact, unit, significand, smaller_below):
            break
    return sign + _general(number, power, count)


def pointer_text(value):
    return "0x%x" % (value & MASK)
