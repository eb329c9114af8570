namespace Transfer.S3.Bench.Report;

/// <summary>Maps values to positions in a chart, and selects the values on its axis.</summary>
internal sealed class Scale
{
    private readonly Func<double, double> _position;
    private readonly double _start;
    private readonly double _end;

    private Scale(Func<double, double> position, double start, double end, IReadOnlyList<double> ticks)
    {
        (_position, _start, _end) = (position, start, end);
        Ticks = ticks;
    }

    /// <summary>Gets round values, in order. The last one is the end of the scale.</summary>
    public IReadOnlyList<double> Ticks { get; }

    /// <summary>Creates a linear scale from zero to a round value that is at least the largest one.</summary>
    /// <param name="max">The largest value.</param>
    /// <param name="start">The position of zero.</param>
    /// <param name="end">The position of the end.</param>
    /// <param name="count">The approximate number of ticks.</param>
    public static Scale Linear(double max, double start, double end, int count)
    {
        double largest = double.IsFinite(max) && max > 0 ? max : 1;
        double step = RoundUp(largest / count);
        int steps = Math.Max(1, (int)Math.Ceiling((largest / step) - 1e-9));
        return new Scale(value => value / (steps * step), start, end, [.. Enumerable.Range(0, steps + 1).Select(i => i * step)]);
    }

    /// <summary>Creates a logarithmic scale from a round value to a round value.</summary>
    /// <param name="min">The smallest value, above zero.</param>
    /// <param name="max">The largest value.</param>
    /// <param name="start">The position of the smallest value.</param>
    /// <param name="end">The position of the largest value.</param>
    /// <param name="count">The maximum number of ticks.</param>
    public static Scale Log(double min, double max, double start, double end, int count)
    {
        (double from, double to) = (RoundDown(min), RoundUp(max));
        to = to > from ? to : RoundUp(from * 1.01);
        double range = Math.Log(to / from);
        return new Scale(value => Math.Log(Math.Max(value, from) / from) / range, start, end, LogTicks(from, to, count));
    }

    public double At(double value) => _start + (Math.Clamp(_position(value), 0, 1) * (_end - _start));

    private static List<double> LogTicks(double from, double to, int count)
    {
        List<double> all = [];
        for (double tick = from; tick <= to * 1.001; tick = RoundUp(tick * 1.01))
        {
            all.Add(tick);
        }

        if (all.Count <= count)
        {
            return all;
        }

        List<double> decades = [.. all.Where(tick => Math.Abs(Math.Log10(tick) - Math.Round(Math.Log10(tick))) < 1e-6)];
        int every = ((decades.Count - 1) / count) + 1;
        return [.. decades.Where((_, i) => i % every == 0)];
    }

    /// <summary>Rounds up to 1, 2, or 5 times a power of ten.</summary>
    private static double RoundUp(double value) => Round(value, [1, 2, 5, 10], (candidate, wanted) => candidate >= wanted * (1 - 1e-9));

    private static double RoundDown(double value) => Round(value, [5, 2, 1], (candidate, wanted) => candidate <= wanted * (1 + 1e-9));

    private static double Round(double value, double[] candidates, Func<double, double, bool> fits)
    {
        double power = Math.Pow(10, Math.Floor(Math.Log10(value) + 1e-9));
        return candidates.First(candidate => fits(candidate * power, value)) * power;
    }
}
