using System.Globalization;
using System.Xml;

namespace Transfer.Wire.Http;

/// <summary>
/// Reads the parts of an incomplete upload, or of an object (Amazon S3 API Reference, "ListParts" and "GetObjectAttributes").
/// </summary>
internal sealed class PartElements
{
    /// <summary>Gets the parts, in the order of the store. A number that the store didn't return is 0, and a length is -1.</summary>
    public List<SentPart> Parts { get; } = [];

    public string? ETag { get; private set; }

    public string? UploadId { get; private set; }

    public bool IsTruncated { get; private set; }

    public PageMarker? Next { get; private set; }

    /// <summary>Reads one child element of the root element.</summary>
    public static bool Read(PartElements list, XmlReader reader)
    {
        switch (reader.LocalName)
        {
            case "ObjectParts" when reader.Depth == 1:
                S3ResponseXml.ReadChildren(reader, list, Read);
                return true;
            case "Part":
                PartElement part = new();
                S3ResponseXml.ReadChildren(reader, part, PartElement.Read);
                list.Parts.Add(new SentPart(part.Number, part.LengthBytes, part.ETag, part.Checksum));
                return true;
            case "ETag":
                list.ETag = S3ResponseXml.Text(reader);
                return true;
            case "UploadId":
                list.UploadId = S3ResponseXml.Text(reader);
                return true;
            case "IsTruncated":
                list.IsTruncated = S3ResponseXml.IsTrue(reader);
                return true;
            case "NextPartNumberMarker":
                list.Next = S3ResponseXml.Number(reader) is > 0 and <= int.MaxValue and var number ? new PageMarker(number.ToString(CultureInfo.InvariantCulture)) : null;
                return true;
            default:
                return false;
        }
    }

    private sealed class PartElement
    {
        public int Number { get; private set; }

        public long LengthBytes { get; private set; } = -1;

        public string? ETag { get; private set; }

        public StoredChecksum? Checksum { get; private set; }

        public static bool Read(PartElement part, XmlReader reader)
        {
            switch (reader.LocalName)
            {
                case "PartNumber":
                    part.Number = S3ResponseXml.Number(reader) is > 0 and <= int.MaxValue and var number ? (int)number : 0;
                    return true;
                case "Size":
                    part.LengthBytes = S3ResponseXml.Number(reader) ?? -1;
                    return true;
                case "ETag":
                    part.ETag = S3ResponseXml.Text(reader);
                    return true;
                default:
                    if (S3ResponseXml.AlgorithmOf(reader.LocalName) is not (not ChecksumAlgorithm.Auto and var algorithm))
                    {
                        return false;
                    }

                    // A composite value ends in a dash and the number of parts. A dash isn't a base64 character.
                    part.Checksum = S3ResponseXml.Text(reader) is { } value ? new StoredChecksum(algorithm, value, value.Contains('-', StringComparison.Ordinal)) : part.Checksum;
                    return true;
            }
        }
    }
}
