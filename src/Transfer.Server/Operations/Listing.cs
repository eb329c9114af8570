using System.Buffers.Text;
using System.Diagnostics.CodeAnalysis;
using System.Text;
using System.Xml;
using Transfer.S3.Server.Checksums;
using Transfer.S3.Server.Http;
using Transfer.S3.Server.Storage;

namespace Transfer.S3.Server.Operations;

/// <summary>The common parts of object and upload listings: parameters, encoding of names, entries, and tokens.</summary>
internal sealed class Listing
{
    private readonly bool _urlEncoded;
    private readonly bool _hasRestoreStatus;
    private readonly DateTimeOffset _now;
    private readonly string? _owner;

    /// <param name="exchange">The request.</param>
    /// <param name="maximumName">The name of the parameter that has the size of a page.</param>
    /// <param name="hasOwners">Whether entries tell who owns them.</param>
    public Listing(S3Exchange exchange, string maximumName, bool hasOwners)
    {
        QueryParameters query = exchange.Target.Query;
        _now = exchange.Server.Now;
        _owner = hasOwners ? exchange.Server.Options.AccessKeyId : null;
        _hasRestoreStatus = HasRestoreStatus(exchange.Header("x-amz-optional-object-attributes"));
        Prefix = query["prefix"] ?? string.Empty;
        Delimiter = query["delimiter"] ?? string.Empty;
        MaximumAsked = query.Integer(maximumName, 0, int.MaxValue) ?? ServerDefaults.MaximumPageEntries;
        _urlEncoded = query["encoding-type"] switch
        {
            null or "" => false,
            "url" => true,
            string other => throw S3Errors.InvalidArgument("Invalid Encoding Method specified in Request", "encoding-type", other),
        };
    }

    public string Prefix { get; }

    public string Delimiter { get; }

    /// <summary>Gets the maximum that the client requested, which can be more than a page holds.</summary>
    public int MaximumAsked { get; }

    public int Maximum => Math.Min(MaximumAsked, ServerDefaults.MaximumPageEntries);

    public string? EncodingType => _urlEncoded ? "url" : null;

    /// <summary>Encodes a name as the client requested. A space becomes a plus sign.</summary>
    [return: NotNullIfNotNull(nameof(name))]
    public string? Encode(string? name) =>
        name is null || !_urlEncoded ? name : PercentEncoding.Encode(name, keepSlash: true).Replace("%20", "+", StringComparison.Ordinal);

    /// <summary>Gets the group for a marker. If a page ends with a group of keys, its marker stands for all keys of the group.</summary>
    public string? GetGroup(string? marker)
    {
        if (marker is null || Delimiter.Length == 0 || !marker.StartsWith(Prefix, StringComparison.Ordinal))
        {
            return null;
        }

        int cut = marker.IndexOf(Delimiter, Prefix.Length, StringComparison.Ordinal);
        return cut >= 0 && cut + Delimiter.Length == marker.Length ? marker : null;
    }

    public void WriteEntries(XmlWriter writer, KeyPage page, IReadOnlyDictionary<string, StoredObject> objects)
    {
        foreach (KeyEntry entry in page.Entries)
        {
            if (!entry.IsGroup)
            {
                WriteObject(writer, objects[entry.Text]);
            }
        }

        WriteGroups(writer, page.Entries.Where(static entry => entry.IsGroup).Select(static entry => entry.Text));
    }

    public void WriteGroups(XmlWriter writer, IEnumerable<string> groups)
    {
        foreach (string group in groups)
        {
            writer.WriteStartElement("CommonPrefixes");
            writer.Element("Prefix", Encode(group));
            writer.WriteEndElement();
        }
    }

    public static string Token(KeyEntry entry) => Base64Url.EncodeToString(Encoding.UTF8.GetBytes((entry.IsGroup ? "g" : "k") + entry.Text));

    public static KeyEntry Entry(string token)
    {
        try
        {
            string text = Encoding.UTF8.GetString(Base64Url.DecodeFromChars(token));
            if (text.Length > 0 && text[0] is 'g' or 'k')
            {
                return new KeyEntry(text[1..], text[0] == 'g');
            }
        }
        catch (FormatException)
        {
            // The token wasn't created by this server. The error is thrown below.
        }

        throw S3Errors.InvalidArgument("The continuation token provided is incorrect", "continuation-token", token);
    }

    private static bool HasRestoreStatus(string? optionalAttributes) => optionalAttributes switch
    {
        null or "" => false,
        "RestoreStatus" => true,
        string other => throw S3Errors.InvalidArgument("Invalid attribute name specified", "x-amz-optional-object-attributes", other),
    };

    public void WriteVersion(XmlWriter writer, KeyVersion version, bool isLatest)
    {
        writer.WriteStartElement(version.Value is null ? "DeleteMarker" : "Version");
        writer.Element("Key", Encode(version.Key));
        writer.Element("VersionId", version.Id);
        writer.Element("IsLatest", isLatest);
        writer.Element("LastModified", XmlResponse.Timestamp(version.LastModified));
        if (version.Value is { } value)
        {
            WriteProperties(writer, value);
        }

        WriteOwner(writer);
        writer.WriteEndElement();
    }

    /// <summary>Writes who owns a bucket or an object: the account of the server, which is named by its access key.</summary>
    public static void WriteOwner(XmlWriter writer, string element, string accessKeyId)
    {
        writer.WriteStartElement(element);
        writer.Element("ID", accessKeyId);
        writer.Element("DisplayName", accessKeyId);
        writer.WriteEndElement();
    }

    /// <summary>Writes who began an upload and owns it.</summary>
    public void WriteInitiator(XmlWriter writer)
    {
        WriteOwner(writer, "Initiator", _owner!);
        WriteOwner(writer);
    }

    private void WriteObject(XmlWriter writer, StoredObject value)
    {
        writer.WriteStartElement("Contents");
        writer.Element("Key", Encode(value.Key));
        writer.Element("LastModified", XmlResponse.Timestamp(value.LastModified));
        WriteProperties(writer, value);
        WriteOwner(writer);
        writer.WriteEndElement();
    }

    private void WriteOwner(XmlWriter writer)
    {
        if (_owner is not null)
        {
            WriteOwner(writer, "Owner", _owner);
        }
    }

    private void WriteProperties(XmlWriter writer, StoredObject value)
    {
        writer.Element("ETag", XmlResponse.QuotedETag(value.ETag));
        writer.Element("ChecksumAlgorithm", value.Checksum.Info.ApiName);
        writer.Element("ChecksumType", value.Checksum.Type.ApiName());
        writer.Element("Size", value.Size);
        writer.Element("StorageClass", value.StorageClass);
        if (_hasRestoreStatus && value.RestoredAt(_now) is { } copy)
        {
            bool isInProgress = copy.IsInProgress(_now);
            writer.WriteStartElement("RestoreStatus");
            writer.Element("IsRestoreInProgress", isInProgress);
            writer.Element("RestoreExpiryDate", isInProgress ? null : XmlResponse.Timestamp(copy.Until));
            writer.WriteEndElement();
        }
    }
}
