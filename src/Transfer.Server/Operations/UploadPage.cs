using Transfer.S3.Server.Storage;

namespace Transfer.S3.Server.Operations;

/// <summary>A page of incomplete uploads.</summary>
internal sealed class UploadPage
{
    public List<MultipartUpload> Uploads { get; } = [];

    public List<string> Groups { get; } = [];

    public bool IsTruncated { get; private set; }

    public string NextKeyMarker { get; private set; } = string.Empty;

    public string NextUploadIdMarker { get; private set; } = string.Empty;

    /// <param name="uploads">All uploads with the prefix, in listing order.</param>
    /// <param name="listing">The prefix, the delimiter, and the maximum size of the page.</param>
    /// <param name="keyMarker">The page begins after this key or, with an upload ID, after that upload of the key.</param>
    /// <param name="uploadIdMarker">The ID of an upload of the key marker; empty if there is none.</param>
    public static UploadPage Take(IReadOnlyList<MultipartUpload> uploads, Listing listing, string keyMarker, string uploadIdMarker)
    {
        var page = new UploadPage();
        string? groupBefore = listing.GetGroup(keyMarker);
        foreach (MultipartUpload upload in uploads)
        {
            int byKey = Utf8Order.Instance.Compare(upload.Key, keyMarker);
            bool isBehind = byKey > 0
                || (byKey == 0 && uploadIdMarker.Length > 0 && string.CompareOrdinal(upload.UploadId, uploadIdMarker) > 0);
            string? group = GetGroup(upload.Key, listing);
            bool isInKnownGroup = group is not null && (group == groupBefore || (page.Groups.Count > 0 && page.Groups[^1] == group));
            if ((keyMarker.Length > 0 && !isBehind) || isInKnownGroup)
            {
                continue;
            }

            if (page.Uploads.Count + page.Groups.Count == listing.Maximum)
            {
                page.IsTruncated = listing.Maximum > 0;
                break;
            }

            page.Add(upload, group);
        }

        return page;
    }

    private static string? GetGroup(string key, Listing listing)
    {
        int cut = listing.Delimiter.Length == 0 ? -1 : key.IndexOf(listing.Delimiter, listing.Prefix.Length, StringComparison.Ordinal);
        return cut < 0 ? null : key[..(cut + listing.Delimiter.Length)];
    }

    private void Add(MultipartUpload upload, string? group)
    {
        if (group is null)
        {
            Uploads.Add(upload);
            NextKeyMarker = upload.Key;
            NextUploadIdMarker = upload.UploadId;
        }
        else
        {
            Groups.Add(group);
            NextKeyMarker = group;
            NextUploadIdMarker = string.Empty;
        }
    }
}
