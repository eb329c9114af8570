using Transfer.S3.Integrity;
using Transfer.S3.Upload;
using Transfer.S3.Wire;

namespace Transfer.S3.Copy;

/// <summary>An object that the store copies by itself, in parts. Nothing is read, because each part is a request to copy a range.</summary>
/// <param name="store">The store.</param>
/// <param name="source">The object. Every request is bound to its ETag.</param>
internal sealed class StoredSource(string store, CopySource source) : IPinnedSource
{
    public long? Length => source.Info.Length;

    public PartMemory PartMemory => PartMemory.None;

    public string? Identity => source.Info.ETag is { } tag && !ETags.IsWeak(tag)
        ? $"copy {store} {source.Address.Bucket}/{source.Address.Key} {source.Address.VersionId} {tag}"
        : null;

    public DateTimeOffset LastModified => source.Info.LastModified ?? default;

    public ValueTask ReadPartAsync(long offset, long count, PartBody body, CancellationToken cancellationToken) => ValueTask.CompletedTask;

    public ValueTask CheckEndAsync(CancellationToken cancellationToken) => ValueTask.CompletedTask;

    public ValueTask<bool> TrySkipAsync(long offset, PartChecksumValue checksum, CancellationToken cancellationToken) => ValueTask.FromResult(false);
}
