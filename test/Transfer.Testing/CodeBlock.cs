namespace Transfer.S3.Testing;

/// <summary>A fenced code block of a Markdown page.</summary>
/// <param name="Page">The page, relative to the root of the repository.</param>
/// <param name="Line">The line number of the first line of the block, starting at 1.</param>
/// <param name="Language">The language after the fence; empty if there is none.</param>
/// <param name="Text">The content, without the indentation of the fence.</param>
public sealed record CodeBlock(string Page, int Line, string Language, string Text)
{
    /// <summary>C# code, which must compile.</summary>
    public const string CSharp = "csharp";

    /// <summary>Shell commands, which must run.</summary>
    public const string Shell = "shell";

    private const string Fence = "```";

    /// <summary>Finds the code blocks of a page.</summary>
    public static IReadOnlyList<CodeBlock> Find(string page, IReadOnlyList<string> lines)
    {
        List<CodeBlock> blocks = [];
        for (int i = 0; i < lines.Count; i++)
        {
            string opening = lines[i].TrimStart();
            if (!opening.StartsWith(Fence, StringComparison.Ordinal))
            {
                continue;
            }

            int indent = lines[i].Length - opening.Length;
            int first = i + 1;
            for (i = first; i < lines.Count && lines[i].Trim() != Fence; i++)
            {
            }

            Assert.True(i < lines.Count, $"{page}({first}): the code block has no end.");
            IEnumerable<string> content = lines.Skip(first).Take(i - first).Select(line => line[Math.Min(indent, line.Length - line.TrimStart().Length)..]);
            blocks.Add(new CodeBlock(page, first + 1, opening[Fence.Length..].Trim(), string.Join('\n', content)));
        }

        return blocks;
    }
}
