namespace Transfer.S3.Server.Storage;

/// <summary>Reads a range of content sequentially.</summary>
internal sealed class ContentReader(Content content, long offset, long count) : IDisposable
{
    private long _offset = offset;
    private long _left = count;
    private IBlob? _blob;
    private IBlobReader? _reader;

    /// <summary>Reads the next bytes, at most <paramref name="maximum"/>. They are valid until the next call. The result is empty at the end.</summary>
    public async ValueTask<ReadOnlyMemory<byte>> ReadAsync(long maximum, CancellationToken cancellationToken)
    {
        if (_left == 0)
        {
            return default;
        }

        (BlobSlice slice, long start) = content.At(_offset);
        if (!ReferenceEquals(_blob, slice.Blob))
        {
            _reader?.Dispose();
            _blob = slice.Blob;
            _reader = slice.Blob.OpenReader();
        }

        long within = _offset - start;
        long wanted = Math.Min(Math.Min(maximum, _left), slice.Length - within);
        ReadOnlyMemory<byte> bytes = await _reader!.ReadAsync(slice.Offset + within, wanted, cancellationToken).ConfigureAwait(false);
        _offset += bytes.Length;
        _left -= bytes.Length;
        return bytes;
    }

    public void Dispose()
    {
        _reader?.Dispose();
        _reader = null;
    }
}
