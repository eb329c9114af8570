using System.Xml;

namespace Transfer.S3.Server.Http;

/// <summary>Reads the XML bodies of requests. DTDs and external resources are disabled, and elements can be nested in one level of groups only.</summary>
internal static class XmlRequest
{
    private static readonly XmlReaderSettings Settings = new()
    {
        DtdProcessing = DtdProcessing.Prohibit,
        XmlResolver = null,
        IgnoreComments = true,
        IgnoreProcessingInstructions = true,
    };

    /// <summary>
    /// Calls <paramref name="onGroup"/> when an element named <paramref name="group"/> begins, and <paramref name="onLeaf"/> for each text element.
    /// </summary>
    /// <remarks>
    /// Names are compared without namespaces, because some clients omit the namespace. The groups can be in an element named <paramref name="container"/>.
    /// </remarks>
    public static void Read(ReadOnlyMemory<byte> body, string root, string? group, Action? onGroup, Action<string, string> onLeaf, string? container = null)
    {
        try
        {
            using var reader = XmlReader.Create(new MemoryStream(body.ToArray()), Settings);
            if (reader.MoveToContent() != XmlNodeType.Element || reader.LocalName != root)
            {
                throw S3Errors.MalformedXml();
            }

            if (!reader.IsEmptyElement)
            {
                ReadChildren(reader, group, onGroup, onLeaf, container);
            }

            while (reader.Read())
            {
                // Read to the end, because the content after the root element must be well-formed too.
            }
        }
        catch (XmlException)
        {
            throw S3Errors.MalformedXml();
        }
    }

    private static void ReadChildren(XmlReader reader, string? group, Action? onGroup, Action<string, string> onLeaf, string? container)
    {
        reader.Read();
        int rootDepth = reader.Depth - 1;
        int groupDepth = rootDepth + (container is null ? 1 : 2);
        while (!(reader.NodeType == XmlNodeType.EndElement && reader.Depth == rootDepth))
        {
            if (reader.NodeType != XmlNodeType.Element)
            {
                if (!reader.Read())
                {
                    throw S3Errors.MalformedXml();
                }
            }
            else if (reader.LocalName == group)
            {
                if (reader.Depth != groupDepth)
                {
                    throw S3Errors.MalformedXml(); // rejects groups within groups, because the reader keeps all open elements in memory
                }

                onGroup?.Invoke();
                reader.Read();
            }
            else if (reader.LocalName == container && reader.Depth == rootDepth + 1)
            {
                reader.Read();
            }
            else
            {
                string name = reader.LocalName;
                onLeaf(name, reader.ReadElementContentAsString());
            }
        }
    }
}
