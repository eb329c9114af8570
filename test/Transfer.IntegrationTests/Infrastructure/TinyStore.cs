using System.Collections.Concurrent;
using System.Globalization;
using System.Security.Cryptography;
using System.Xml.Linq;

#pragma warning disable CA5351 // Content-MD5 and ETags are based on MD5

namespace Transfer.S3.IntegrationTests.Infrastructure;

/// <summary>A store of one object for a <see cref="ScriptedServer"/>. It accepts uploads as S3 does, unless <see cref="Instead"/> answers.</summary>
internal sealed class TinyStore
{
    public const string UploadId = "the upload";
    private static readonly string[] ChecksumHeaders = ["x-amz-checksum-crc64nvme", "x-amz-checksum-crc32c", "x-amz-checksum-crc32", "x-amz-checksum-sha256"];
    private readonly ConcurrentDictionary<int, byte[]> _parts = new();
    private string _checksum = string.Empty;
    private string _etag = string.Empty;
    private DateTimeOffset _modified;

    /// <summary>
    /// Gets or sets a function that answers instead of the store, which then doesn't see the request; it returns null to use the store.
    /// </summary>
    public Func<ScriptedRequest, ScriptedAnswer?> Instead { get; set; } = _ => null;

    /// <summary>Gets or sets a function that inspects the response of the store and can replace it.</summary>
    public Func<ScriptedRequest, ScriptedAnswer, ScriptedAnswer> Afterwards { get; set; } = (_, answer) => answer;

    /// <summary>Gets or sets the clock of the store, which dates its responses and its object.</summary>
    public Func<DateTimeOffset> Now { get; set; } = () => DateTimeOffset.UtcNow;

    /// <summary>
    /// Gets or sets a value that indicates whether the store knows the checksums of S3. Otherwise, it ignores their headers, and rejects a list of parts that contains
    /// them because its schema has no such elements, as OpenStack Swift does.
    /// </summary>
    public bool KnowsChecksums { get; set; } = true;

    public byte[]? Content { get; private set; }

    /// <summary>Gets a value that indicates whether a multipart upload is neither completed nor aborted.</summary>
    public bool HasOpenUpload { get; private set; }

    public static bool IsPart(ScriptedRequest request) => request.Method == "PUT" && request.Target.Contains("partNumber=", StringComparison.Ordinal);

    public static bool IsCreate(ScriptedRequest request) => request.Method == "POST" && request.Target.Contains("?uploads", StringComparison.Ordinal);

    public static bool IsComplete(ScriptedRequest request) => request.Method == "POST" && !IsCreate(request);

    public ScriptedAnswer Answer(ScriptedRequest request) => Afterwards(request, Instead(request) ?? Serve(request));

    private static ScriptedAnswer Ok(string headers = "", string body = "")
        => ScriptedAnswer.Text($"HTTP/1.1 200 OK\r\nx-amz-request-id: R1{headers}{(body.Length > 0 ? "\r\nContent-Type: application/xml" : string.Empty)}", body);

    private ScriptedAnswer Serve(ScriptedRequest request)
    {
        string checksum = !KnowsChecksums ? string.Empty : string.Concat(ChecksumHeaders.Where(name => request.Header(name) is not null).Select(name => $"\r\n{name}: {request.Header(name)}"));
        if (request.Header("Content-MD5") is { } sent && sent != Convert.ToBase64String(MD5.HashData(request.Body)))
        {
            return ScriptedAnswer.Error(400, "BadDigest");
        }

        if (IsPart(request))
        {
            _parts[int.Parse(Query(request, "partNumber"), CultureInfo.InvariantCulture)] = request.Body;
            return Ok($"{checksum}\r\nETag: \"{Convert.ToHexStringLower(MD5.HashData(request.Body))}\"");
        }

        if (IsCreate(request))
        {
            HasOpenUpload = true;
            return Ok(body: $"<InitiateMultipartUploadResult><UploadId>{UploadId}</UploadId></InitiateMultipartUploadResult>");
        }

        if (IsComplete(request))
        {
            return HasOpenUpload ? Complete(request, checksum) : ScriptedAnswer.Error(404, "NoSuchUpload");
        }

        switch (request.Method)
        {
            case "PUT" when Content is not null && request.Header("If-None-Match") == "*":
                return ScriptedAnswer.Error(412, "PreconditionFailed");
            case "PUT":
                Publish(request.Body, $"\"{Convert.ToHexStringLower(MD5.HashData(request.Body))}\"", checksum);
                return Ok($"{checksum}\r\nETag: {_etag}");
            case "DELETE":
                HasOpenUpload = false;
                return ScriptedAnswer.Of("HTTP/1.1 204 No Content\r\nx-amz-request-id: R1");
            case "HEAD" when Content is not null:
                return ScriptedAnswer.Of($"HTTP/1.1 200 OK\r\nx-amz-request-id: R1\r\nETag: {_etag}\r\nDate: {Now():R}\r\nLast-Modified: {_modified:R}\r\nContent-Length: {Content.Length}{_checksum}");
            default:
                return ScriptedAnswer.Of("HTTP/1.1 404 Not Found\r\nx-amz-request-id: R1\r\nContent-Length: 0");
        }
    }

    private ScriptedAnswer Complete(ScriptedRequest request, string checksum)
    {
        if (Content is not null && request.Header("If-None-Match") == "*")
        {
            return ScriptedAnswer.Error(412, "PreconditionFailed");
        }

        XElement list = XElement.Load(new MemoryStream(request.Body));
        if (!KnowsChecksums && list.Descendants().Any(element => element.Name.LocalName.StartsWith("Checksum", StringComparison.Ordinal)))
        {
            return ScriptedAnswer.Error(400, "MalformedXML");
        }

        byte[][] parts = [.. list.Elements().Select(part => _parts[int.Parse(part.Elements().First(e => e.Name.LocalName == "PartNumber").Value, CultureInfo.InvariantCulture)])];
        string etag = $"\"{Convert.ToHexStringLower(MD5.HashData([.. parts.SelectMany(MD5.HashData)]))}-{parts.Length}\"";
        HasOpenUpload = false;
        Publish([.. parts.SelectMany(part => part)], etag, checksum);
        string element = checksum.Length == 0 ? string.Empty : "Checksum" + checksum[(checksum.LastIndexOf('-') + 1)..checksum.IndexOf(':', StringComparison.Ordinal)].ToUpperInvariant();
        string value = checksum.Length == 0 ? string.Empty : $"<{element}>{checksum[(checksum.IndexOf(':', StringComparison.Ordinal) + 2)..]}</{element}><ChecksumType>FULL_OBJECT</ChecksumType>";
        return Ok(body: $"<CompleteMultipartUploadResult><ETag>{etag.Replace("\"", "&quot;", StringComparison.Ordinal)}</ETag>{value}</CompleteMultipartUploadResult>");
    }

    private void Publish(byte[] content, string etag, string checksum) => (Content, _etag, _checksum, _modified) = (content, etag, checksum, Now());

    private static string Query(ScriptedRequest request, string name)
        => request.Target[(request.Target.IndexOf('?', StringComparison.Ordinal) + 1)..].Split('&').Select(pair => pair.Split('=')).First(pair => pair[0] == name)[1];
}
