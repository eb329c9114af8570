using System.Text;
using Transfer.S3.Wire;

namespace Transfer.S3.Requests;

/// <summary>What a request is about, for the attributes of its span. It refers to what the request has anyway, so that it costs nothing without a listener.</summary>
/// <param name="Bucket">The bucket; null for the list of buckets.</param>
/// <param name="Key">The key; null for a request that isn't about one object.</param>
internal readonly record struct RequestSubject(string? Bucket, string? Key = null)
{
    /// <summary>The length after which the list of deleted objects ends. That of 1,000 keys can have a megabyte.</summary>
    private const int MaxListLength = 4096;

    /// <summary>Gets the operation; null for that of the kind of the request.</summary>
    public RequestOperation? Operation { get; init; }

    /// <summary>Gets the ID of the multipart upload; null for none.</summary>
    public string? UploadId { get; init; }

    /// <summary>Gets the number of the part that is uploaded; 0 for none.</summary>
    public int PartNumber { get; init; }

    /// <summary>Gets the source of a copy; null for none.</summary>
    public ObjectAddress? Source { get; init; }

    /// <summary>Gets the objects to delete; null for none.</summary>
    public IReadOnlyList<ObjectDeletion>? Deletions { get; init; }

    /// <summary>Gets the objects to delete in the form of the attribute (OpenTelemetry Semantic Conventions, "AWS S3"): that of the AWS CLI.</summary>
    public string? GetDeletions()
    {
        if (Deletions is null)
        {
            return null;
        }

        StringBuilder text = new("Objects=[");
        for (int i = 0; i < Deletions.Count; i++)
        {
            text.Append(i == 0 ? "{Key=" : ",{Key=").Append(Deletions[i].Key);
            if (Deletions[i].VersionId is { } version)
            {
                text.Append(",VersionId=").Append(version);
            }

            text.Append('}');
            if (text.Length > MaxListLength && i + 1 < Deletions.Count)
            {
                text.Append(",...");
                break;
            }
        }

        return text.Append("],Quiet=true").ToString();
    }
}
