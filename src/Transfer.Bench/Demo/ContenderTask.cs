using Transfer.S3.Bench.Operations;

namespace Transfer.S3.Bench.Demo;

/// <summary>What a process of the demonstration measures. It is read from standard input, because others can see command lines.</summary>
internal sealed record ContenderTask
{
    public required EngineKind Engine { get; init; }

    /// <summary>Gets a value that indicates whether to upload, and not to download.</summary>
    public required bool Uploads { get; init; }

    public required Uri Endpoint { get; init; }

    public required string Region { get; init; }

    public required string AccessKeyId { get; init; }

    public required string SecretAccessKey { get; init; }

    public required string Bucket { get; init; }

    /// <summary>Gets the key of the object, or of the target of an upload.</summary>
    public required string Key { get; init; }

    /// <summary>Gets the key of a smaller object to warm up with.</summary>
    public required string WarmUpKey { get; init; }

    /// <summary>Gets the file to upload.</summary>
    public required string Path { get; init; }

    /// <summary>Gets the smaller file to warm up with.</summary>
    public required string WarmUpPath { get; init; }

    public int? Concurrency { get; init; }

    public long? PartSizeBytes { get; init; }

    public long? MemoryBytes { get; init; }
}
