using System.Globalization;
using System.Net;
using System.Xml;

namespace Transfer.Wire.Http;

/// <summary>Reads a list of incomplete uploads (Amazon S3 API Reference, "ListMultipartUploads").</summary>
internal sealed class UploadElements
{
    private readonly List<UnfinishedUpload> _uploads = [];
    private bool _isEncoded;
    private string? _nextKey;
    private string? _nextId;

    /// <summary>Gets a value that indicates whether keys look encoded although the response doesn't tell that.</summary>
    public bool MayBeEncoded => !_isEncoded && (_uploads.Exists(static upload => LooksEncoded(upload.Key)) || LooksEncoded(_nextKey));

    public bool IsTruncated { get; private set; }

    public PageMarker? Next => string.IsNullOrEmpty(_nextKey) ? null : new PageMarker(Decode(_nextKey), _nextId);

    /// <summary>Gets or sets the time of the response by the clock of the store.</summary>
    public DateTimeOffset? StoreTime { get; set; }

    /// <summary>Gets the uploads, in the order of the store.</summary>
    public IReadOnlyList<UnfinishedUpload> Decoded() => _isEncoded ? _uploads.ConvertAll(upload => new UnfinishedUpload(Decode(upload.Key), upload.UploadId, upload.Initiated)) : _uploads;

    /// <summary>Reads one child element of the root element.</summary>
    public static bool Read(UploadElements list, XmlReader reader)
    {
        switch (reader.LocalName)
        {
            case "Upload":
                Dictionary<string, string> upload = [];
                S3ResponseXml.ReadChildren(reader, upload, ReadUpload);
                list._uploads.Add(NewUpload(upload));
                return true;
            case "EncodingType":
                list._isEncoded = S3ResponseXml.Text(reader) == "url";
                return true;
            case "IsTruncated":
                list.IsTruncated = S3ResponseXml.IsTrue(reader);
                return true;
            case "NextKeyMarker":
                list._nextKey = reader.ReadElementContentAsString();
                return true;
            case "NextUploadIdMarker":
                list._nextId = S3ResponseXml.Text(reader);
                return true;
            default:
                return false;
        }
    }

    private static bool ReadUpload(Dictionary<string, string> upload, XmlReader reader)
    {
        string name = reader.LocalName;
        if (name is not ("Key" or "UploadId" or "Initiated"))
        {
            return false;
        }

        upload[name] = reader.ReadElementContentAsString();
        return true;
    }

    private static UnfinishedUpload NewUpload(Dictionary<string, string> upload)
        => upload.TryGetValue("Key", out string? key) && upload.TryGetValue("UploadId", out string? id)
            ? new UnfinishedUpload(key, id, TimeOf(upload.GetValueOrDefault("Initiated")))
            : throw new XmlException("An upload has no key or no ID.");

    private static DateTimeOffset? TimeOf(string? text)
        => DateTimeOffset.TryParse(text, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out DateTimeOffset time) ? time : null;

    private static bool LooksEncoded(string? key) => key.AsSpan().ContainsAny('%', '+');

    // "+" is a space and "%2B" a plus: the form encoding.
    private string Decode(string text) => _isEncoded ? WebUtility.UrlDecode(text) : text;
}
