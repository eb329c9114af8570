using Transfer.S3.Bench.Measuring;

namespace Transfer.S3.Bench.Operations;

/// <summary>Transfers objects with one part size and one concurrency, and counts into the meter of the current run.</summary>
internal interface IEngine : IAsyncDisposable
{
    /// <summary>Gets or sets the meter of the current run; null for none.</summary>
    RunMeter? Meter { get; set; }

    /// <summary>Gets the properties of an object.</summary>
    Task HeadAsync(string key, CancellationToken cancellationToken);

    /// <summary>Downloads an object to a file, or discards it.</summary>
    Task GetAsync(string key, string? path, CancellationToken cancellationToken);

    /// <summary>Uploads a file.</summary>
    Task PutAsync(string key, string path, CancellationToken cancellationToken);

    /// <summary>Uploads bytes from memory.</summary>
    Task PutAsync(string key, ReadOnlyMemory<byte> content, CancellationToken cancellationToken);
}
