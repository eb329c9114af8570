namespace Transfer.S3.Bench.Report;

/// <summary>A logarithmic axis of concurrency, with a separate place for auto at its end.</summary>
internal sealed class ConcurrencyAxis
{
    private const double Padding = 24;
    private const double AutoShare = 0.16;
    private const double LabelGap = 28;
    private readonly double _from;
    private readonly double _to;
    private readonly double _start;
    private readonly double _end;
    private readonly double _auto;

    /// <param name="values">The concurrencies that were measured; null for auto.</param>
    /// <param name="start">The position of the start.</param>
    /// <param name="end">The position of the end.</param>
    public ConcurrencyAxis(IEnumerable<int?> values, double start, double end)
    {
        int?[] all = [.. values.Distinct()];
        int[] numbers = [.. all.OfType<int>().Order()];
        HasAuto = all.Length > numbers.Length;
        (_start, _end) = (start + Padding, end - Padding);
        _auto = numbers.Length == 0 ? (_start + _end) / 2 : _end;
        AutoBegins = HasAuto && numbers.Length > 0 ? _end - ((_end - _start) * AutoShare / 2) : null;
        _end = HasAuto ? _end - ((_end - _start) * AutoShare) : _end;
        (_from, _to) = numbers.Length == 0 ? (0, 0) : (Math.Log2(numbers[0]), Math.Log2(numbers[^1]));
        Labels = [.. Thin(numbers)];
    }

    public bool HasAuto { get; }

    /// <summary>Gets the position of the line between the numbers and auto; null unless there are both.</summary>
    public double? AutoBegins { get; }

    /// <summary>Gets the values that have space for a label.</summary>
    public IReadOnlyList<int?> Labels { get; }

    public double At(int? concurrency) => concurrency is not { } number ? _auto
        : _to > _from ? _start + ((Math.Log2(number) - _from) / (_to - _from) * (_end - _start))
        : (_start + _end) / 2;

    private IEnumerable<int?> Thin(int[] numbers)
    {
        double last = double.NegativeInfinity;
        foreach (int number in numbers)
        {
            if (At(number) - last >= LabelGap)
            {
                last = At(number);
                yield return number;
            }
        }

        if (HasAuto)
        {
            yield return null;
        }
    }
}
