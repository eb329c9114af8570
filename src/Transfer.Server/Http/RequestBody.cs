using System.Buffers;
using System.IO.Pipelines;
using Microsoft.AspNetCore.Http;
using Transfer.S3.Server.Checksums;
using Transfer.S3.Server.Signing;
using Transfer.S3.Server.Storage;

namespace Transfer.S3.Server.Http;

/// <summary>
/// The body of a request. Decodes the framing, counts the bytes, and verifies them against every digest and length that the client sent.
/// </summary>
internal sealed class RequestBody : IDisposable
{
    private readonly S3Exchange _exchange;
    private readonly byte[]? _contentMd5;
    private readonly ChunkSignatureChain? _chain;
    private readonly AwsChunkedDecoder? _decoder;
    private readonly BodyDigests _digests;
    private long _received;

    /// <param name="exchange">The request.</param>
    /// <param name="needsMd5">Whether to compute an MD5 even if the client sent none.</param>
    /// <param name="readsChecksum">Whether checksum headers describe the body. On a completion, they describe the object.</param>
    /// <param name="checksums">The checksums to compute in addition to the declared one.</param>
    public RequestBody(S3Exchange exchange, bool needsMd5, bool readsChecksum, params IEnumerable<ChecksumAlgorithm> checksums)
    {
        IHeaderDictionary headers = exchange.Http.Request.Headers;
        _exchange = exchange;
        Length = ReadLength(exchange);
        Declared = readsChecksum ? DeclaredChecksum.FromHeaders(headers) : null;
        Declared?.ThrowIfMalformed();
        if (Declared is { Value: null } && !exchange.Payload.HasTrailer)
        {
            throw S3Errors.InvalidRequest("x-amz-trailer requires an x-amz-content-sha256 value that ends in -TRAILER");
        }

        _contentMd5 = ReadContentMd5(headers.ContentMD5);
        if (exchange.Payload.IsChunked)
        {
            _chain = exchange.Payload.HasSignedChunks ? ChunkSignatureChain.From(exchange.Signature!) : null;
            _decoder = new AwsChunkedDecoder(_chain, exchange.Payload.HasTrailer);
        }

        IEnumerable<ChecksumAlgorithm> declared = Declared is null ? [] : [Declared.Info.Algorithm];
        _digests = new BodyDigests(
            needsMd5 || _contentMd5 is not null,
            exchange.Payload.Kind == PayloadKind.Sha256,
            checksums.Concat(declared));
    }

    /// <summary>Gets the number of payload bytes that the client declared.</summary>
    public long Length { get; }

    public DeclaredChecksum? Declared { get; }

    public bool HasContentMd5 => _contentMd5 is not null;

    /// <summary>Gets the digests. They are available after the body has been read.</summary>
    public BodyDigests Digests => _digests;

    /// <summary>Reads the whole body into the sink and verifies it.</summary>
    public async Task ReadAsync(IBodySink sink)
    {
        PipeReader reader = _exchange.Http.Request.BodyReader;
        CancellationToken aborted = _exchange.Aborted;
        _exchange.HasBodyBegun = _exchange.Http.Request.ContentLength is not 0;
        while (true)
        {
            ReadResult result = await ReadMoreAsync(reader, aborted).ConfigureAwait(false);
            ReadOnlySequence<byte> rest = result.Buffer;
            SequencePosition end = rest.End;
            SequencePosition consumed = end;
            long before = _received;
            try
            {
                if (_decoder is null)
                {
                    await TakeAsync(sink, rest, aborted).ConfigureAwait(false);
                }
                else
                {
                    while (_decoder.TryRead(ref rest, out ReadOnlySequence<byte> payload))
                    {
                        await TakeAsync(sink, payload, aborted).ConfigureAwait(false);
                    }

                    consumed = rest.Start;
                }
            }
            finally
            {
                reader.AdvanceTo(consumed, end);
            }

            await _exchange.Pacing.Receiving.PassAsync(_received - before, aborted).ConfigureAwait(false);
            if (result.IsCompleted)
            {
                break;
            }
        }

        if (_received != Length || _decoder is { IsComplete: false })
        {
            throw S3Errors.IncompleteBody();
        }

        _digests.Finish();
        Verify();
    }

    /// <summary>Reads a small body into memory.</summary>
    public async Task<ReadOnlyMemory<byte>> ReadAllAsync(int maximumBytes)
    {
        if (Length > maximumBytes)
        {
            throw S3Errors.MaxMessageLengthExceeded(maximumBytes);
        }

        var sink = new BufferSink();
        await ReadAsync(sink).ConfigureAwait(false);
        return sink.Written;
    }

    public void Dispose()
    {
        _chain?.Dispose();
        _digests.Dispose();
    }

    private static long ReadLength(S3Exchange exchange)
    {
        HttpRequest request = exchange.Http.Request;
        if (exchange.Payload.IsChunked)
        {
            string? decoded = exchange.Header("x-amz-decoded-content-length");
            return long.TryParse(decoded, System.Globalization.NumberStyles.None, provider: null, out long length)
                ? length
                : throw S3Errors.MissingContentLength();
        }

        return request.ContentLength
            ?? throw (request.Headers.TransferEncoding.Count > 0 ? S3Errors.NotImplemented("Transfer-Encoding") : S3Errors.MissingContentLength());
    }

    private static byte[]? ReadContentMd5(string? header)
    {
        if (header is null)
        {
            return null;
        }

        Span<byte> md5 = stackalloc byte[32];
        return header.Length <= md5.Length && Convert.TryFromBase64String(header, md5, out int written) && written == 16
            ? md5[..written].ToArray()
            : throw S3Errors.InvalidDigest(header);
    }

    private static async ValueTask<ReadResult> ReadMoreAsync(PipeReader reader, CancellationToken cancellationToken)
    {
        try
        {
            return await reader.ReadAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (BadHttpRequestException)
        {
            throw S3Errors.IncompleteBody();
        }
    }

    private ValueTask TakeAsync(IBodySink sink, ReadOnlySequence<byte> payload, CancellationToken cancellationToken)
    {
        if (_exchange.Fault is { } fault)
        {
            payload = fault.Received(payload, _received, Length);
        }

        _received += payload.Length;
        if (_received > Length)
        {
            throw S3Errors.IncompleteBody();
        }

        _exchange.Server.Statistics.AddReceived(payload.Length);
        _digests.Append(payload);
        return sink.WriteAsync(payload, cancellationToken);
    }

    private void Verify()
    {
        if (_digests.Sha256 is string sha256 && !string.Equals(sha256, _exchange.Payload.Value, StringComparison.OrdinalIgnoreCase))
        {
            throw S3Errors.XAmzContentSha256Mismatch(_exchange.Payload.Value, sha256);
        }

        if (_contentMd5 is not null && !_contentMd5.AsSpan().SequenceEqual(_digests.Md5))
        {
            throw S3Errors.BadDigest("Content-MD5", Convert.ToBase64String(_contentMd5), Convert.ToBase64String(_digests.Md5!));
        }

        if (Declared is not null)
        {
            string expected = Declared.Value ?? TrailerValue(Declared.Info);
            string computed = _digests.GetChecksum(Declared.Info.Algorithm);
            if (expected != computed)
            {
                throw S3Errors.BadDigest(Declared.Info.ApiName, expected, computed);
            }
        }
    }

    private string TrailerValue(ChecksumInfo info)
    {
        string? value = null;
        foreach ((string name, string trailer) in _decoder!.Trailers)
        {
            value = name == info.HeaderName ? trailer : value;
        }

        if (value is null)
        {
            throw new S3Exception(
                400,
                "MalformedTrailerError",
                "The request contained trailing data that was not well-formed or did not conform to our published schema.");
        }

        new DeclaredChecksum(info, value).ThrowIfMalformed();
        return value;
    }

    private sealed class BufferSink : IBodySink
    {
        private readonly ArrayBufferWriter<byte> _buffer = new();

        public ReadOnlyMemory<byte> Written => _buffer.WrittenMemory;

        public ValueTask WriteAsync(ReadOnlySequence<byte> bytes, CancellationToken cancellationToken)
        {
            foreach (ReadOnlyMemory<byte> segment in bytes)
            {
                _buffer.Write(segment.Span);
            }

            return ValueTask.CompletedTask;
        }
    }
}
