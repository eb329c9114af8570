using System.Xml;

namespace Transfer.S3.Wire.Http;

/// <summary>Reads XML responses, which can be errors although their status is 200.</summary>
internal static class XmlResponse
{
    /// <param name="response">The response.</param>
    /// <param name="body">Its whole body.</param>
    /// <param name="root">The beginning of the name of its root element.</param>
    /// <param name="isOfRead">Whether it is the response to a read, which is repeated less often if it isn't that of a store. The outcome of a write isn't known then.</param>
    /// <param name="convert">Converts the root element.</param>
    /// <exception cref="WireException">Thrown when the response is an error, is incomplete, or isn't that of a store.</exception>
    public static T Read<T>(HttpResponseMessage response, Stream body, string root, bool isOfRead, Func<ResponseElement, T> convert)
    {
        bool isOther = false;
        try
        {
            if ((isOfRead ? ResponseElement.Read(body, root) : ResponseElement.ReadLeniently(GetBytes(body), root)) is { } element)
            {
                return convert(element);
            }

            isOther = true;
            throw HttpErrors.InBody(response, GetBytes(body)) ?? (Exception)new XmlException($"It has no {root} element.");
        }
        catch (XmlException e)
        {
            StoreResponse origin = S3ResponseHeaders.Origin(response);
            throw isOfRead && (isOther || origin.IsWebPage)
                ? origin.NotOfStore($"the endpoint did not respond as S3 does ({e.Message})", e)
                : origin.Failure(FailureKind.Transient, $"the response is incomplete, or is not an S3 response: {e.Message}", e);
        }
    }

    private static byte[] GetBytes(Stream body)
    {
        byte[] bytes = new byte[body.Length];
        body.Position = 0;
        body.ReadExactly(bytes);
        return bytes;
    }
}
