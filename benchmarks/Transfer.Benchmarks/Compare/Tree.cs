using System.Globalization;

namespace Transfer.S3.Benchmarks.Compare;

/// <summary>Many objects of one size, in folders of a thousand.</summary>
internal static class Tree
{
    public const string Prefix = "tree";

    /// <summary>The prefix of the second tree; see <see cref="Contest.HasCopy"/>.</summary>
    public const string CopyPrefix = "tree-copy";

    private const int FolderObjects = 1000;

    /// <summary>Returns the prefix of the tree for the given number of pieces; see <see cref="Contest.Pieces"/>.</summary>
    public static string GetPrefix(int pieces) => pieces == 1 ? Prefix : string.Create(CultureInfo.InvariantCulture, $"{Prefix}-{pieces}");

    /// <summary>Returns the name of an object below the prefix.</summary>
    public static string Name(int number) => string.Create(CultureInfo.InvariantCulture, $"d{number / FolderObjects:000}/object-{number:000000}.bin");

    /// <summary>Writes all objects as files.</summary>
    public static void Write(string folder, long size, int objects)
    {
        byte[] content = TestData.Create(size).First.ToArray();
        for (int i = 0; i < objects; i++)
        {
            string path = Path.Combine(folder, Name(i));
            if (i % FolderObjects == 0)
            {
                Directory.CreateDirectory(Path.GetDirectoryName(path)!);
            }

            File.WriteAllBytes(path, content);
        }
    }
}
