using Transfer.S3.Bench.Results;

namespace Transfer.S3.Bench.Measuring;

/// <summary>Samples of counts over time, in bounded memory. When there are too many, every second one is dropped, and the interval is doubled.</summary>
internal sealed class RateHistory
{
    public const int MaxSamples = 600;
    private const double MiB = 1 << 20;
    private readonly List<Sample> _samples = [];
    private int _every = 1;
    private int _skipped;

    public void Add(TimeSpan at, long bytes, long requests)
    {
        if (++_skipped < _every)
        {
            return;
        }

        _skipped = 0;
        if (_samples.Count == MaxSamples)
        {
            for (int i = 0; i < MaxSamples / 2; i++)
            {
                _samples[i] = _samples[(i * 2) + 1];
            }

            _samples.RemoveRange(MaxSamples / 2, MaxSamples / 2);
            _every *= 2;
        }

        _samples.Add(new Sample(at, bytes, requests));
    }

    /// <summary>Gets the rates between the samples.</summary>
    public IReadOnlyList<RateSample> ToRates(TimeSpan end, long bytes, long requests)
    {
        List<RateSample> rates = [];
        Sample before = default;
        foreach (Sample sample in _samples.Where(sample => sample.At < end).Append(new Sample(end, bytes, requests)))
        {
            double seconds = (sample.At - before.At).TotalSeconds;
            if (seconds > 0)
            {
                rates.Add(new RateSample(
                    Math.Round(sample.At.TotalSeconds, 6),
                    Math.Round((sample.Bytes - before.Bytes) / MiB / seconds, 3),
                    Math.Round((sample.Requests - before.Requests) / seconds, 3)));
                before = sample;
            }
        }

        return rates;
    }

    private readonly record struct Sample(TimeSpan At, long Bytes, long Requests);
}
