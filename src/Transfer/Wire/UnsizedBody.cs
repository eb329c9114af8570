using System.Net;
using System.Security.Cryptography;
using Transfer.S3.Integrity;

namespace Transfer.S3.Wire;

/// <summary>
/// The body of a response with a whole object but without a Content-Length, as proxies and some stores send it: in chunks, or until the connection is closed.
/// </summary>
/// <remarks>
/// If the size of the object is known, the body must have exactly that length. Otherwise, the beginning of the body is buffered. If it ends there, and is known to be
/// complete because the response is chunked or because the ETag is its MD5, its length is the size. If it doesn't, the headers of the object have the size.
/// </remarks>
internal sealed class UnsizedBody : ForwardOnlyStream
{
    /// <summary>The length up to which a body is buffered before the headers of the object are requested.</summary>
    private const int SmallBytes = 64 * 1024;

    /// <summary>The length up to which a body is buffered if the headers of the object have no length either.</summary>
    private const int MaxBytes = 8 * 1024 * 1024;

    private readonly bool _isRange;
    private long _position;

    private UnsizedBody(Stream body, long length, bool isRange = false)
        : base(body) => (Length, _isRange) = (length, isRange);

    /// <summary>Gets the size of the object.</summary>
    public override long Length { get; }

    public override long Position { get => _position; set => throw new NotSupportedException(); }

    /// <summary>Limits a body without a Content-Length to the range that it contains. If it is longer, it isn't known which of its bytes are those of the range.</summary>
    public static UnsizedBody OfRange(Stream body, long length) => new(body, length, isRange: true);

    /// <summary>Returns whether a response contains a whole object of unknown length.</summary>
    public static bool Is(HttpStatusCode status, string? contentRange, long contentLength, RequestedRange requested)
        => status == HttpStatusCode.OK && string.IsNullOrEmpty(contentRange) && contentLength < 0 && requested is { IsLast: true } or { Length: null } or { Offset: 0 };

    /// <summary>Determines the length of a body.</summary>
    /// <param name="body">The body.</param>
    /// <param name="total">The size of the object; null if it isn't known.</param>
    /// <param name="isChunked">Whether the body shows its end, so that one that ends early is an error.</param>
    /// <param name="etag">The ETag of the object.</param>
    /// <param name="headAsync">Requests the headers of the object.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <exception cref="WireException">Thrown when the length can't be determined.</exception>
    public static async Task<Stream> OpenAsync(Stream body, long? total, bool isChunked, string? etag, Func<Task<ObjectHead>> headAsync, CancellationToken cancellationToken)
    {
        if (total is { } known)
        {
            UnsizedBody sized = new(body, known);
            if (known == 0)
            {
                await sized.CheckEndAsync(cancellationToken).ConfigureAwait(false); // nothing is read from it
            }

            return sized;
        }

        ReadOnlyMemory<byte> begin = await ReadAsync(body, ReadOnlyMemory<byte>.Empty, SmallBytes, cancellationToken).ConfigureAwait(false);
        if (begin.Length < SmallBytes && (isChunked || IsWhole(begin.Span, etag)))
        {
            return new UnsizedBody(new ReplayedBody(begin, body), begin.Length);
        }

        try
        {
            ObjectInfo info = (await headAsync().ConfigureAwait(false)).Info;
            return ETags.AreSame(info.ETag, etag)
                ? new UnsizedBody(new ReplayedBody(begin, body), info.Length)
                : throw new WireException(FailureKind.Transient, "the object was replaced after its headers had been read");
        }
        catch (WireException e) when (e.Kind == FailureKind.Final)
        {
            // Its headers have no length, or may not be read.
        }

        begin = await ReadAsync(body, begin, MaxBytes, cancellationToken).ConfigureAwait(false);
        return begin.Length < MaxBytes && (isChunked || IsWhole(begin.Span, etag))
            ? new UnsizedBody(new ReplayedBody(begin, body), begin.Length)
            : throw new WireException(FailureKind.Final, "the response has no valid Content-Length, and the length of the object can't be determined");
    }

    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        int wanted = (int)Math.Min(buffer.Length, Length - _position);
        if (wanted == 0)
        {
            return 0;
        }

        int count = await Content.ReadAsync(buffer[..wanted], cancellationToken).ConfigureAwait(false);
        _position += count;
        if (_position == Length)
        {
            await CheckEndAsync(cancellationToken).ConfigureAwait(false);
        }

        return count;
    }

    private static async Task<ReadOnlyMemory<byte>> ReadAsync(Stream body, ReadOnlyMemory<byte> begin, int bytes, CancellationToken cancellationToken)
    {
        using MemoryStream all = new();
        all.Write(begin.Span);
        byte[] piece = new byte[SmallBytes];
        int count = 1;
        IResponseWatch? watch = ResponseWatch.Current;
        while (all.Length < bytes && count > 0)
        {
            count = await body.ReadAsync(piece.AsMemory(0, (int)Math.Min(piece.Length, bytes - all.Length)), cancellationToken).ConfigureAwait(false);
            watch?.BytesArrived(count);
            all.Write(piece, 0, count);
        }

        return all.GetBuffer().AsMemory(0, (int)all.Length);
    }

#pragma warning disable CA5351 // the ETag of an object is its MD5
    private static bool IsWhole(ReadOnlySpan<byte> bytes, string? etag) => Md5Tag.TryRead(etag, out string? md5) && md5 == Convert.ToBase64String(MD5.HashData(bytes));
#pragma warning restore CA5351

    /// <summary>Checks that the body ends where the object does. Otherwise, the object has changed since its size was determined, or the range is damaged.</summary>
    private async ValueTask CheckEndAsync(CancellationToken cancellationToken)
    {
        byte[] more = new byte[1];
        if (await Content.ReadAsync(more, cancellationToken).ConfigureAwait(false) > 0)
        {
            throw _isRange
                ? new WireException(FailureKind.Final, $"the response has more than the {Length} bytes of its Content-Range, so it isn't known which of them are those of the range")
                : new WireException(FailureKind.PreconditionFailed, $"the response has more than the {Length} bytes of the object");
        }
    }
}
