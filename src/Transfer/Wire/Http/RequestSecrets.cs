using System.Net.Http.Headers;

namespace Transfer.Wire.Http;

/// <summary>What a request carries that nobody else is to see. Some stores repeat a request in their errors, and errors are shown and logged.</summary>
internal static class RequestSecrets
{
    private const string SignatureMark = "Signature=";

    private static readonly string[] Headers = ["Authorization", "x-amz-security-token", "x-amz-server-side-encryption-customer-key"];

    /// <summary>A text of the store's without what was sent to it in confidence.</summary>
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
