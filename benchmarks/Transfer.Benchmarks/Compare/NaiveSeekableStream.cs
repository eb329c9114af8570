using Amazon.S3;
using Amazon.S3.Model;

namespace Transfer.S3.Benchmarks.Compare;

/// <summary>
/// The obvious seekable stream over an object, which many projects have: each read is one GET of exactly the bytes that the caller asks for.
/// </summary>
internal sealed class NaiveSeekableStream : Stream
{
    private readonly IAmazonS3 _s3;
    private readonly string _bucket;
    private readonly string _key;

    private NaiveSeekableStream(IAmazonS3 s3, string bucket, string key, long length)
    {
        _s3 = s3;
        _bucket = bucket;
        _key = key;
        Length = length;
    }

    public override bool CanRead => true;

    public override bool CanSeek => true;

    public override bool CanWrite => false;

    public override long Length { get; }

    public override long Position { get; set; }

    /// <summary>Opens a stream. One HEAD request gets the length of the object.</summary>
    public static async Task<NaiveSeekableStream> OpenAsync(IAmazonS3 s3, string bucket, string key)
        => new(s3, bucket, key, (await s3.GetObjectMetadataAsync(bucket, key)).ContentLength);

#pragma warning disable VSTHRD002 // the SDK has no synchronous requests
    public override int Read(byte[] buffer, int offset, int count) => ReadAsync(buffer.AsMemory(offset, count)).AsTask().GetAwaiter().GetResult();
#pragma warning restore VSTHRD002

    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken)
        => ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        int count = (int)Math.Clamp(Length - Position, 0, buffer.Length);
        if (count == 0)
        {
            return 0;
        }

        GetObjectRequest request = new() { BucketName = _bucket, Key = _key, ByteRange = new ByteRange(Position, Position + count - 1) };
        using GetObjectResponse response = await _s3.GetObjectAsync(request, cancellationToken);
        await response.ResponseStream.ReadExactlyAsync(buffer[..count], cancellationToken);
        Position += count;
        return count;
    }

    public override long Seek(long offset, SeekOrigin origin) => Position = origin switch
    {
        SeekOrigin.Begin => offset,
        SeekOrigin.Current => Position + offset,
        _ => Length + offset,
    };

    public override void Flush()
    {
    }

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
}
