using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Primitives;
using Transfer.S3.Server.Http;

namespace Transfer.S3.Server.Checksums;

/// <summary>The checksum that a request declares for its body: a value in a header, or the name of a trailer that will contain it.</summary>
/// <param name="Info">The algorithm.</param>
/// <param name="Value">The value; null if it follows in the trailer.</param>
internal sealed record DeclaredChecksum(ChecksumInfo Info, string? Value)
{
    private const string Prefix = "x-amz-checksum-";

    /// <summary>Reads the checksum headers of a request with a body; null if there are none.</summary>
    public static DeclaredChecksum? FromHeaders(IHeaderDictionary headers)
    {
        DeclaredChecksum? declared = null;
        foreach ((string name, StringValues value) in headers)
        {
            if (!name.StartsWith(Prefix, StringComparison.OrdinalIgnoreCase) || IsNoValue(name.AsSpan(Prefix.Length)))
            {
                continue;
            }

            ThrowIfSecond(declared);
            ChecksumInfo info = ChecksumInfo.FromHeaderName(name) ?? throw S3Errors.NotImplemented(name);
            declared = new DeclaredChecksum(info, ((string?)value ?? string.Empty).Trim());
        }

        string? trailer = headers["x-amz-trailer"];
        if (!string.IsNullOrWhiteSpace(trailer))
        {
            ThrowIfSecond(declared);
            ChecksumInfo info = ChecksumInfo.FromHeaderName(trailer.Trim())
                ?? throw S3Errors.InvalidRequest("The value specified in the x-amz-trailer header is not supported");
            declared = new DeclaredChecksum(info, Value: null);
        }

        if (declared is null && headers.ContainsKey("x-amz-sdk-checksum-algorithm"))
        {
            throw S3Errors.InvalidRequest(
                "x-amz-sdk-checksum-algorithm specified, but no corresponding x-amz-checksum-* or x-amz-trailer headers were found.");
        }

        return declared;
    }

    public void ThrowIfMalformed()
    {
        if (Value is not null && !Info.IsWellFormed(Value))
        {
            throw S3Errors.InvalidRequest($"Value for {Info.HeaderName} header is invalid.");
        }
    }

    // These headers specify how checksums are computed or returned. They contain no checksum.
    private static bool IsNoValue(ReadOnlySpan<char> suffix) =>
        suffix.Equals("mode", StringComparison.OrdinalIgnoreCase)
        || suffix.Equals("type", StringComparison.OrdinalIgnoreCase)
        || suffix.Equals("algorithm", StringComparison.OrdinalIgnoreCase);

    private static void ThrowIfSecond(DeclaredChecksum? first)
    {
        if (first is not null)
        {
            throw S3Errors.InvalidRequest("Expecting a single x-amz-checksum- header. Multiple checksum Types are not allowed.");
        }
    }
}
