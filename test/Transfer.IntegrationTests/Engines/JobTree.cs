using Transfer.IntegrationTests.Infrastructure;

namespace Transfer.IntegrationTests.Engines;

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

            File.WriteAllBytes(Path.Combine(path, $"{i % Folders}", $"{i}"), TestBytes.Create(1 + (i % 300), i));
        }

        return path;
    }
}
