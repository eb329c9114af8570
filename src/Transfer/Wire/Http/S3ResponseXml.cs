using System.Xml;

namespace Transfer.Wire.Http;

/// <summary>Reads the XML of responses with limits on length and depth. Without document types, it has no entities and no external references.</summary>
internal static class S3ResponseXml
{
    /// <summary>Twice the depth of any S3 response.</summary>
    private const int MaxDepth = 16;

    /// <param name="maxCharacters">The maximum length of a document.</param>
    public static XmlReaderSettings Settings(int maxCharacters) => new()
    {
        DtdProcessing = DtdProcessing.Prohibit,
        IgnoreComments = true,
        IgnoreProcessingInstructions = true,
        IgnoreWhitespace = true,
        MaxCharactersInDocument = maxCharacters,
        XmlResolver = null,
    };

    /// <summary>Skips an element and its content.</summary>
    /// <exception cref="XmlException">Thrown when the XML is invalid or nested too deeply. A reader keeps all open elements in memory.</exception>
    public static void Skip(XmlReader reader)
    {
        int depth = reader.Depth;
        if (!reader.IsEmptyElement)
        {
            while (reader.Read() && reader.Depth > depth)
            {
                if (reader.Depth > MaxDepth)
                {
                    throw new XmlException("The elements of the response are nested too deeply.");
                }
            }
        }

        reader.Read();
    }
}
