using System.Net.Http.Headers;

namespace Transfer.S3.Wire.Http;

/// <summary>Removes the secrets of a request from texts. Some stores repeat the request in their errors, which are shown and logged.</summary>
internal static class RequestSecrets
{
    private const string SignatureMark = "Signature=";

    private static readonly string[] Headers = ["Authorization", "x-amz-security-token", "x-amz-server-side-encryption-customer-key"];

    /// <summary>Replaces the secrets of a request in a text from the store.</summary>
    public static string Hide(string text, HttpRequestMessage? request)
    {
        foreach (string name in Headers)
        {
            if (request?.Headers.NonValidated.TryGetValues(name, out HeaderStringValues values) == true && values.ToString() is { Length: > 0 } value)
            {
                int mark = value.IndexOf(SignatureMark, StringComparison.Ordinal);
                text = text.Replace(mark < 0 ? value : value[(mark + SignatureMark.Length)..], "...", StringComparison.Ordinal);
            }
        }

        return text;
    }
}
