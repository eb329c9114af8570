using Transfer.Cli.Bench.Measuring;

namespace Transfer.Cli.Bench.Operations;

/// <summary>What moves objects, with one part size and one concurrency. It counts into the meter of the run that is under way.</summary>
internal interface IEngine : IAsyncDisposable
{
    /// <summary>Counts what is done from now on; null for nobody.</summary>
    RunMeter? Meter { get; set; }

    /// <summary>Asks for an object's headers.</summary>
    Task HeadAsync(string key, CancellationToken cancellationToken);

    /// <summary>Reads an object: to a file, or to nowhere.</summary>
    Task GetAsync(string key, string? path, CancellationToken cancellationToken);

    /// <summary>Writes a file to an object.</summary>
    Task PutAsync(string key, string path, CancellationToken cancellationToken);

    /// <summary>Writes bytes of memory to an object.</summary>
    Task PutAsync(string key, ReadOnlyMemory<byte> content, CancellationToken cancellationToken);
}
