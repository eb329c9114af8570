namespace Transfer.S3.IntegrationTests.Engines;

/// <summary>Writes the files that a job copies.</summary>
internal static class JobTree
{
    private const int Folders = 40;

    /// <returns>The path.</returns>
    public static string Write(string path, int files)
    {
        for (int i = 0; i < files; i++)
        {
            if (i < Folders)
            {
                Directory.CreateDirectory(Path.Combine(path, $"{i}"));
            }

            File.WriteAllBytes(Path.Combine(path, $"{i % Folders}", $"{i}"), Sample.Bytes(1 + (i % 300), i));
        }

        return path;
    }

    /// <summary>Adds a huge file of which few bytes are not zero, so that it takes hardly any space on the disk.</summary>
    public static void WriteHuge(string path, string name, long bytes)
    {
        const int Written = 16;
        using FileStream file = new(Path.Combine(path, name), FileMode.CreateNew);
        file.SetLength(bytes);
        for (int i = 0; i < Written; i++)
        {
            file.Position = bytes / Written * i;
            file.Write(Sample.Bytes(1000, i));
        }
    }
}
