using System.Text;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Transfer.S3.Server.Checksums;
using Transfer.S3.Server.Http;

namespace Transfer.S3.Server.Replay;

/// <summary>Answers requests with the responses of a recording, so that what happened with another store happens again.</summary>
/// <remarks>
/// Recordings don't contain the data of objects, so zeros are sent instead. Checksums and ETags of the real data would not match them. So the checksum of a whole object
/// is that of the zeros, others are left out, and an ETag that looks like an MD5 gets the suffix of a multipart upload, which nobody compares with content.
/// </remarks>
internal sealed class ReplayPipeline(ServerContext server, Recording recording)
{
    private const int BlockBytes = 64 << 10;
    private static readonly byte[] Zeros = new byte[BlockBytes];
    private static readonly string[] NotRepeated = ["Content-Length", "Transfer-Encoding", "Connection", "Keep-Alive", "Date", "ETag"];

    private readonly ZeroChecksums _checksums = new();

    public async Task HandleAsync(HttpContext http)
    {
        server.Statistics.RequestStarted();
        try
        {
            await AnswerAsync(http).ConfigureAwait(false);
        }
        catch (Exception e) when (e is OperationCanceledException or IOException or BadHttpRequestException)
        {
            http.Abort();
        }
        finally
        {
            server.Statistics.RequestEnded();
        }
    }

    private async Task AnswerAsync(HttpContext http)
    {
        HttpRequest request = http.Request;
        RequestTarget target = RequestTarget.Parse(http.Features.GetRequiredFeature<IHttpRequestFeature>().RawTarget, request.Host.Value ?? string.Empty);
        await request.Body.CopyToAsync(Stream.Null, http.RequestAborted).ConfigureAwait(false);
        string? range = request.Headers.Range.Count > 0 ? request.Headers.Range.ToString() : null;
        RecordedResponse? recorded = recording.Find(request.Method, target.RawPath, target.Query, range);
        (long Offset, long Length)? other = null;
        if (recorded is null && request.Method == "GET" && recording.FindObject(target.RawPath) is { } known && RangeIn(range, known.ObjectSize!.Value) is { } piece)
        {
            (recorded, other) = (known, piece);
        }

        int status = recorded is null ? StatusCodes.Status501NotImplemented : other is null ? recorded.Status : StatusCodes.Status206PartialContent;
        server.Requests.Add(new RequestRecord
        {
            Operation = "Replay",
            Method = request.Method,
            Bucket = target.Bucket,
            Key = target.Key,
            Range = range,
            StatusCode = status,
            RequestId = server.NextRequestId(),
            ConnectionId = http.Connection.Id,
        });
        if (recorded is null)
        {
            await SendAsync(http, StatusCodes.Status501NotImplemented, Encoding.UTF8.GetBytes(
                "<Error><Code>NotRecorded</Code><Message>The recording contains no such request</Message></Error>")).ConfigureAwait(false);
        }
        else if (recorded.Status == 0)
        {
            http.Abort();
        }
        else
        {
            await RepeatAsync(http, recorded, status, other).ConfigureAwait(false);
        }
    }

    private async Task RepeatAsync(HttpContext http, RecordedResponse recorded, int status, (long Offset, long Length)? other)
    {
        IHeaderDictionary headers = http.Response.Headers;
        bool isRead = other is null && http.Request.Method is "GET" or "HEAD";
        foreach ((string name, string value) in recorded.Headers)
        {
            if (name.StartsWith("x-amz-checksum-", StringComparison.OrdinalIgnoreCase))
            {
                headers[name] = isRead && name.Equals(ChecksumTypeNames.HeaderName, StringComparison.OrdinalIgnoreCase) ? value : isRead ? _checksums.ValueFor(recorded, name) : null;
            }
            else if (!NotRepeated.Contains(name, StringComparer.OrdinalIgnoreCase))
            {
                headers[name] = value;
            }
        }

        if (recorded.Header("ETag") is { } etag)
        {
            headers.ETag = RecordedContent.ETag(etag);
        }

        if (other is { } piece)
        {
            headers.ContentRange = $"bytes {piece.Offset}-{piece.Offset + piece.Length - 1}/{recorded.ObjectSize}";
        }

        if (recorded.Document is { } document)
        {
            await SendAsync(http, status, Encoding.UTF8.GetBytes(RecordedContent.Document(document))).ConfigureAwait(false);
            return;
        }

        http.Response.StatusCode = status;
        long length = other?.Length ?? recorded.Length;
        if (status is StatusCodes.Status204NoContent or StatusCodes.Status304NotModified)
        {
            return;
        }

        http.Response.ContentLength = length;
        long sent = HttpMethods.IsHead(http.Request.Method) ? 0 : recorded.IsBroken ? Math.Min(recorded.Received, length) : length;
        for (long left = sent; left > 0; left -= BlockBytes)
        {
            await http.Response.Body.WriteAsync(Zeros.AsMemory(0, (int)Math.Min(left, BlockBytes)), http.RequestAborted).ConfigureAwait(false);
        }

        if (recorded.IsBroken)
        {
            await http.Response.Body.FlushAsync(http.RequestAborted).ConfigureAwait(false);
            http.Abort();
        }
    }

    private static async Task SendAsync(HttpContext http, int status, byte[] document)
    {
        http.Response.StatusCode = status;
        http.Response.ContentType ??= "application/xml";
        http.Response.ContentLength = document.Length;
        if (!HttpMethods.IsHead(http.Request.Method))
        {
            await http.Response.Body.WriteAsync(document, http.RequestAborted).ConfigureAwait(false);
        }
    }

    /// <summary>Gets the bytes that a Range header asks for; null if there is none, or if it begins beyond the end.</summary>
    private static (long Offset, long Length)? RangeIn(string? header, long size)
    {
        if (header is null || !header.StartsWith("bytes=", StringComparison.Ordinal) || header[6..].Split('-') is not [var first, var last])
        {
            return null;
        }

        if (first.Length == 0)
        {
            return long.TryParse(last, out long count) && count > 0 && size > 0 ? (Math.Max(0, size - count), Math.Min(count, size)) : null;
        }

        long end = long.TryParse(last, out long at) ? Math.Min(at, size - 1) : size - 1;
        return long.TryParse(first, out long offset) && offset <= end ? (offset, end - offset + 1) : null;
    }
}
