using Transfer.S3.Server.Checksums;
using Transfer.S3.Server.Http;

namespace Transfer.S3.Server.Operations;

/// <summary>A part in a CompleteMultipartUpload request.</summary>
internal sealed class CompletionPart
{
    public int Number { get; private set; }

    /// <summary>Gets the ETag without quotes; null if the request doesn't contain it.</summary>
    public string? ETag { get; private set; }

    public List<ChecksumValue> Checksums { get; } = [];

    public static List<CompletionPart> Parse(ReadOnlyMemory<byte> body, string uploadId)
    {
        var parts = new List<CompletionPart>();
        XmlRequest.Read(body, "CompleteMultipartUpload", "Part", () => parts.Add(new CompletionPart()), (name, text) =>
            (parts.Count > 0 ? parts[^1] : throw S3Errors.MalformedXml()).Set(name, text));
        if (parts.Count is 0 or > ServerDefaults.MaximumPartNumber || parts.Exists(static part => part.Number is 0 || part.ETag is null))
        {
            throw S3Errors.MalformedXml();
        }

        for (int i = 1; i < parts.Count; i++)
        {
            if (parts[i].Number <= parts[i - 1].Number)
            {
                throw S3Errors.InvalidPartOrder(uploadId);
            }
        }

        return parts;
    }

    private void Set(string name, string text)
    {
        if (name == "PartNumber")
        {
            Number = int.TryParse(text, out int number) && number is >= 1 and <= ServerDefaults.MaximumPartNumber
                ? number
                : throw S3Errors.InvalidArgument($"PartNumber must be >= 1 and <= {ServerDefaults.MaximumPartNumber}", "PartNumber", text);
        }
        else if (name == "ETag")
        {
            ETag = ETags.Unquote(text);
        }
        else if (ChecksumInfo.FromElementName(name) is ChecksumInfo info)
        {
            Checksums.Add(new ChecksumValue(info.Algorithm, text.Trim()));
        }
        else
        {
            throw S3Errors.MalformedXml();
        }
    }
}
