using Microsoft.AspNetCore.Http.Headers;
using Microsoft.Extensions.Primitives;
using Microsoft.Net.Http.Headers;
using Transfer.S3;

namespace AspNetProxy;

/// <summary>Passes downloads and uploads through. The data goes from one connection to the other, in bounded memory, and never to the disk.</summary>
internal sealed class ObjectProxy(ITransferClient client, string bucket)
{
    private const string DefaultType = "application/octet-stream";

    /// <summary>Sends an object, or the requested range of it. If the client disconnects, the requests to the store are canceled.</summary>
    public async Task DownloadAsync(string key, HttpContext context)
    {
        CancellationToken aborted = context.RequestAborted;
        ObjectInfo info = await client.GetInfoAsync(bucket, key, cancellationToken: aborted);

        HttpResponse response = context.Response;
        SetHeaders(response, info);
        RequestConditions conditions = new(context.Request.GetTypedHeaders(), response.GetTypedHeaders());
        response.StatusCode = conditions.StatusCode;
        if (response.StatusCode != StatusCodes.Status200OK)
        {
            return;
        }

        // With the hint, all ranges start at once, and a new object isn't sent under the headers of the old one.
        DownloadOptions options = new() { Hint = new ObjectHint { Length = info.Length, ETag = info.ETag } };
        response.ContentLength = info.Length;
        bool isHead = HttpMethods.IsHead(context.Request.Method);
        if (!isHead && conditions.GetRange(info.Length) is (long offset, long length))
        {
            response.ContentLength = length;
            if (length == 0)
            {
                response.StatusCode = StatusCodes.Status416RangeNotSatisfiable;
                response.GetTypedHeaders().ContentRange = new ContentRangeHeaderValue(info.Length);
                return;
            }

            response.StatusCode = StatusCodes.Status206PartialContent;
            response.GetTypedHeaders().ContentRange = new ContentRangeHeaderValue(offset, offset + length - 1, info.Length);
            options = options with { Range = ObjectRange.From(offset, length) };
        }

        if (isHead || response.ContentLength == 0)
        {
            return;
        }

        // If the content of a whole object turns out to be damaged, the last bytes are never sent and the connection is closed. The client then notices that the
        // response is incomplete.
        await using ObjectReadStream body = await client.OpenReadAsync(bucket, key, options, aborted);
        await body.Reader.CopyToAsync(response.BodyWriter, aborted);
    }

    /// <summary>
    /// Returns an object as a stream that can seek. ASP.NET Core then answers ranges and conditions, and reads only what the client asks for.
    /// </summary>
    public async Task<IResult> OpenFileAsync(string key, HttpContext context)
    {
        CancellationToken aborted = context.RequestAborted;
        ObjectInfo info = await client.GetInfoAsync(bucket, key, cancellationToken: aborted);

        // With the hint, nothing is requested before data is read, and a new object isn't sent under the headers of the old one.
        SeekableReadOptions options = new() { Hint = new ObjectHint { Length = info.Length, ETag = info.ETag } };
        SeekableObjectStream file = await client.OpenSeekableAsync(bucket, key, options, aborted);
        context.Response.Headers.XContentTypeOptions = "nosniff"; // browsers must not guess the type of what others have uploaded
        EntityTagHeaderValue? tag = EntityTagHeaderValue.TryParse(info.ETag, out EntityTagHeaderValue? parsed) ? parsed : null;
        return Results.Stream(file, info.ContentType ?? DefaultType, lastModified: info.LastModified, entityTag: tag, enableRangeProcessing: true);
    }

    /// <summary>Stores the body of a request, whose length doesn't have to be known. If the client disconnects, the upload is aborted and leaves nothing.</summary>
    public async Task UploadAsync(string key, HttpContext context)
    {
        IHeaderDictionary headers = context.Request.Headers;
        (StringValues ifNoneMatch, StringValues ifMatch) = (headers.IfNoneMatch, headers.IfMatch);
        bool isOnlyIfAbsent = ifNoneMatch == "*";
        bool isOnlyIfSame = EntityTagHeaderValue.TryParse(ifMatch.ToString(), out EntityTagHeaderValue? tag) && tag is { IsWeak: false, Tag.Value: not "*" };
        if (ifNoneMatch.Count > (isOnlyIfAbsent ? 1 : 0) || ifMatch.Count > (isOnlyIfSame ? 1 : 0) || headers.ContentRange.Count > 0)
        {
            // Ignoring one of these would replace an object that must stay, or store a piece as if it were the whole.
            throw new BadHttpRequestException("An upload can have 'If-None-Match: *', or If-Match with one strong ETag, but no Content-Range.");
        }

        UploadOptions options = new()
        {
            Length = context.Request.ContentLength, // the parts have the right size from the beginning; null for a chunked body
            ContentType = context.Request.ContentType,
            ContentEncoding = headers.ContentEncoding,
            Overwrite = !isOnlyIfAbsent,
            IfMatch = isOnlyIfSame ? tag!.Tag.Value : null,
        };
        UploadResult result = await client.UploadAsync(context.Request.BodyReader, bucket, key, options, cancellationToken: context.RequestAborted);
        context.Response.Headers.ETag = result.ETag;
        context.Response.StatusCode = StatusCodes.Status204NoContent;
    }

    private static void SetHeaders(HttpResponse response, ObjectInfo info)
    {
        ResponseHeaders headers = response.GetTypedHeaders();
        headers.ETag = EntityTagHeaderValue.TryParse(info.ETag, out EntityTagHeaderValue? tag) ? tag : null;
        headers.LastModified = info.LastModified;
        response.ContentType = info.ContentType ?? DefaultType;
        response.Headers.ContentEncoding = info.ContentEncoding;
        response.Headers.ContentDisposition = info.ContentDisposition;
        response.Headers.CacheControl = info.CacheControl;
        response.Headers.AcceptRanges = "bytes";
        response.Headers.XContentTypeOptions = "nosniff"; // browsers must not guess the type of what others have uploaded
    }
}
