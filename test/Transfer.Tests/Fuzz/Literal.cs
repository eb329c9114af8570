using System.Text;

namespace Transfer.S3.Tests.Fuzz;

/// <summary>Formats an input so that a test can repeat it: text and bytes as C# literals, and others with their ToString method.</summary>
internal static class Literal
{
    public static string Of(object? input) => input switch
    {
        string text => Quoted(text),
        byte[] bytes => $"Convert.FromHexString(\"{Convert.ToHexString(bytes)}\") // {Quoted(Encoding.Latin1.GetString(bytes))}",
        _ => input?.ToString() ?? "null",
    };

    private static string Quoted(string text)
    {
        StringBuilder quoted = new("\"");
        foreach (char c in text)
        {
            _ = c is '"' or '\\' ? quoted.Append('\\').Append(c)
                : c is >= ' ' and <= '~' ? quoted.Append(c)
                : quoted.Append("\\u").Append(((int)c).ToString("X4"));
        }

        return quoted.Append('"').ToString();
    }
}
