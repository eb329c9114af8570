using System.Globalization;
using System.Xml;
using Transfer.S3.Server.Http;

namespace Transfer.S3.Server.Locks;

/// <summary>Reads and writes the documents of object locks.</summary>
internal static class LockDocuments
{
    public const string Configuration = "ObjectLockConfiguration";
    public const string Retention = "Retention";
    public const string LegalHold = "LegalHold";
    private const string Enabled = "Enabled";
    private static readonly string[] Modes = ["GOVERNANCE", "COMPLIANCE"];

    public static BucketLock ParseConfiguration(ReadOnlyMemory<byte> body)
    {
        string? state = null;
        string? mode = null;
        int? days = null;
        int? years = null;
        bool hasDefault = false;
        XmlRequest.Read(
            body,
            Configuration,
            "DefaultRetention",
            () => hasDefault = true,
            (name, text) =>
            {
                switch (name)
                {
                    case "ObjectLockEnabled":
                        state = text;
                        break;
                    case "Mode":
                        mode = text;
                        break;
                    case "Days":
                        days = Number(text);
                        break;
                    case "Years":
                        years = Number(text);
                        break;
                    default:
                        throw S3Errors.MalformedXml();
                }
            },
            container: "Rule");
        if (state != Enabled || hasDefault != mode is not null || (hasDefault && (!Modes.Contains(mode) || days is null == years is null)))
        {
            throw S3Errors.MalformedXml();
        }

        return (days ?? years) <= 0 ? throw S3Errors.InvalidRetentionPeriod() : new BucketLock(hasDefault ? new DefaultRetention(mode!, days, years) : null);
    }

    public static void WriteTo(XmlWriter writer, BucketLock bucketLock)
    {
        writer.Element("ObjectLockEnabled", Enabled);
        if (bucketLock.Default is { } retention)
        {
            writer.WriteStartElement("Rule");
            writer.WriteStartElement("DefaultRetention");
            writer.Element("Mode", retention.Mode);
            writer.Element("Days", retention.Days?.ToString(CultureInfo.InvariantCulture));
            writer.Element("Years", retention.Years?.ToString(CultureInfo.InvariantCulture));
            writer.WriteEndElement();
            writer.WriteEndElement();
        }
    }

    /// <summary>Parses the retention of an object; both values are null if the document removes it.</summary>
    public static (string? Mode, DateTimeOffset? Until) ParseRetention(ReadOnlyMemory<byte> body)
    {
        string? mode = null;
        DateTimeOffset? until = null;
        XmlRequest.Read(body, Retention, group: null, onGroup: null, (name, text) =>
        {
            switch (name)
            {
                case "Mode":
                    mode = Modes.Contains(text) ? text : throw S3Errors.MalformedXml();
                    break;
                case "RetainUntilDate":
                    until = DateTimeOffset.TryParse(text, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out DateTimeOffset time)
                        ? time
                        : throw S3Errors.MalformedXml();
                    break;
                default:
                    throw S3Errors.MalformedXml();
            }
        });
        return mode is null == until is null ? (mode, until) : throw S3Errors.MalformedXml();
    }

    public static bool ParseLegalHold(ReadOnlyMemory<byte> body)
    {
        string? status = null;
        XmlRequest.Read(body, LegalHold, group: null, onGroup: null, (name, text) => status = name == "Status" ? text : throw S3Errors.MalformedXml());
        return status switch { "ON" => true, "OFF" => false, _ => throw S3Errors.MalformedXml() };
    }

    private static int Number(string text) =>
        int.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out int number) ? number : throw S3Errors.MalformedXml();
}
