using System.Diagnostics;
using Transfer.S3.Server;

namespace Transfer.S3.Benchmarks.Compare;

/// <summary>
/// Records a server's counters during a measurement, and changes its shaping. It uses a dedicated thread, because all pool threads may be busy.
/// </summary>
internal sealed class ServerRecorder
{
    private static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(10);
    private readonly EmbeddedS3Server _server;
    private readonly ServerSettings _settings;
    private readonly List<ServerSample> _samples = [];
    private readonly List<long> _changes = [];
    private readonly List<ServerSample> _marks = [];
    private readonly Thread _thread;
    private volatile bool _isStopped;

    /// <summary>Resets the server to its settings and its counters to zero, and starts the recording.</summary>
    public ServerRecorder(EmbeddedS3Server server, ServerSettings settings)
    {
        _server = server;
        _settings = settings;
        settings.Shaping.Apply(server);
        server.SetFaults(settings.Faults);
        server.Statistics.Reset();
        _thread = new Thread(Record) { IsBackground = true };
        _thread.Start();
    }

    /// <summary>Keeps the current counters as a mark between two phases of the measured work.</summary>
    public void Mark() => _marks.Add(Sample());

    public ServerRecording Stop()
    {
        _isStopped = true;
        _thread.Join();
        return new ServerRecording(_samples, _changes, _marks);
    }

    private void Record()
    {
        long? start = null;
        bool isLast;
        do
        {
            isLast = _isStopped;
            ServerSample sample = Sample();
            _samples.Add(sample);
            start ??= sample.Requests > 0 ? sample.Timestamp : null;
            if (start is { } began && _changes.Count < _settings.Changes.Count && Stopwatch.GetElapsedTime(began) >= _settings.Changes[_changes.Count].After)
            {
                _settings.Changes[_changes.Count].Shaping.Apply(_server);
                _changes.Add(Stopwatch.GetTimestamp());
            }

            Thread.Sleep(Interval);
        }
        while (!isLast);
    }

    private ServerSample Sample()
    {
        ServerStatistics statistics = _server.Statistics;
        return new(Stopwatch.GetTimestamp(), statistics.BytesSent + statistics.BytesReceived, statistics.BytesReceived, statistics.TotalRequests, statistics.RejectedRequests);
    }
}
