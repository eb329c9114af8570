using System.Xml;

namespace Transfer.Wire.Http;

/// <summary>How the XML of answers is read: bounded in length and depth, without document types and so without entities and references to elsewhere.</summary>
internal static class AnswerXml
{
    /// <summary>Twice as deep as S3 goes anywhere.</summary>
    private const int MaxDepth = 16;

    /// <param name="maxCharacters">How long a document may be.</param>
    public static XmlReaderSettings Settings(int maxCharacters) => new()
    {
        DtdProcessing = DtdProcessing.Prohibit,
        IgnoreComments = true,
        IgnoreProcessingInstructions = true,
        IgnoreWhitespace = true,
        MaxCharactersInDocument = maxCharacters,
        XmlResolver = null,
    };

    /// <summary>Goes past an element and all that is in it.</summary>
    /// <exception cref="XmlException">It is broken, or too deep: a reader keeps all open elements in memory.</exception>
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
